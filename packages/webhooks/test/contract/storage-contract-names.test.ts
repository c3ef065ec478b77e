import { namedDatabaseServers } from '../kysely/database-servers.ts';
import { describeStorage } from './describe-storage.ts';
import { CASES_OF_CONNECTIONS, CASES_OF_NAMES } from './storage-cases.ts';

const names = [...CASES_OF_NAMES, ...CASES_OF_CONNECTIONS];
for (const server of namedDatabaseServers) describeStorage(server, names);
