import { describeStorage } from './describe-storage.ts';
import { MYSQL_SETTINGS } from './mysql-settings.ts';
import { CASES_OF_SETTINGS } from './storage-cases.ts';

for (const server of MYSQL_SETTINGS) describeStorage(server, CASES_OF_SETTINGS);
