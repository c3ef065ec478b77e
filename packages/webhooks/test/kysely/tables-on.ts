import type { Kysely } from 'kysely';
import { accessDatabase } from '../../src/kysely/database-access.ts';
import type { Tables } from '../../src/kysely/tables.ts';

/** Our tables by their default names. */
export function tablesOn<DB>(db: Kysely<DB>): Tables {
  return accessDatabase(db).tablesOn(db);
}
