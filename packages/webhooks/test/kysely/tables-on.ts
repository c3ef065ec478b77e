import type { Kysely } from 'kysely';
import { findDialect } from '../../src/kysely/find-dialect.ts';
import { webhookNaming } from '../../src/kysely/names.ts';
import { type Tables, tablesOf } from '../../src/kysely/tables.ts';

/** Our tables by their default names. */
export function tablesOn<DB>(db: Kysely<DB>): Tables {
  return tablesOf(db, webhookNaming(db, {}, findDialect(db).name));
}
