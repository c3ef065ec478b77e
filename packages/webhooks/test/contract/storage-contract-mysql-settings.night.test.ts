import { describeStorage } from './describe-storage.ts';
import { MYSQL_SETTINGS } from './mysql-settings.ts';

for (const server of MYSQL_SETTINGS) describeStorage(server);
