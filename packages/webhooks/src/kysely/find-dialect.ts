import type { Kysely } from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import { databaseOf } from '../../../toolkit/src/kysely/database-of.ts';
import { mysql } from './dialects/mysql.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';
import type { WebhookDialect } from './webhook-dialect.ts';

const DIALECTS: Readonly<Record<DatabaseName, WebhookDialect>> = { sqlite, postgres, mysql };

/** @throws TypeError when the database is not supported */
export function findDialect<DB>(db: Kysely<DB>): WebhookDialect {
  return DIALECTS[databaseOf(db)];
}
