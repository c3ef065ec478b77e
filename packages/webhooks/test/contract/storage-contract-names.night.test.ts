import { namedDatabaseServers } from '../kysely/database-servers.ts';
import { describeStorage } from './describe-storage.ts';

for (const server of namedDatabaseServers) describeStorage(server);
