import { mysqlServer } from '../kysely/database-servers.ts';
import { describeStorage } from './describe-storage.ts';

// Defaults of a database that cannot hold what our columns do: a statement that takes one loses characters.
for (const characterSet of ['latin1', 'utf8mb3']) {
  describeStorage(mysqlServer(`in a database of ${characterSet}`, { characterSet }));
}
