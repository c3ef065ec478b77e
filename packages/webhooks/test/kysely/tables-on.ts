import type { Kysely } from 'kysely';
import { tablesOf } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { findDialect } from '../../src/kysely/find-dialect.ts';
import { webhookNaming } from '../../src/kysely/names.ts';
import type { Tables, WebhookTables } from '../../src/kysely/tables.ts';

/** Our tables by their default names. */
export function tablesOn<DB>(db: Kysely<DB>): Tables {
  return tablesOf<WebhookTables>(db, webhookNaming(db, {}, findDialect(db).name));
}
