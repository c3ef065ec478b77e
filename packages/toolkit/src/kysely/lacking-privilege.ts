import { type Kysely, sql } from 'kysely';
import { isReadOnly, isRefused } from './migrations/refused-statement.ts';
import type { TableNaming } from './table-names/table-naming.ts';

/** A table, and a column of it by which an update is tried; without one, it is only read. */
export type UsedTable = readonly [table: string, column?: string];

/**
 * The first privilege that the role lacks on one of these tables, as messages tell it; undefined if
 * it has all. Each is tried by a statement that writes no row. A table or a column that is missing,
 * and a server that only reads for a while, are no matter of privileges.
 */
export async function findLackingPrivilege<DB>(
  db: Kysely<DB>,
  naming: TableNaming,
  tables: readonly UsedTable[],
  isMissing: (error: unknown) => boolean,
): Promise<string | undefined> {
  const named = naming.on(db);
  for (const [name, column] of tables) {
    const table = sql.table(name);
    const reads = { SELECT: sql`select * from ${table} where 1 = 0` };
    const writes = column && {
      INSERT: sql`insert into ${table} select * from ${table} where 1 = 0`,
      UPDATE: sql`update ${table} set ${sql.ref(column)} = ${sql.ref(column)} where 1 = 0`,
      DELETE: sql`delete from ${table} where 1 = 0`,
    };
    for (const [privilege, statement] of Object.entries({ ...reads, ...writes })) {
      try {
        await statement.execute(named);
      } catch (error) {
        if (isMissing(error)) continue;
        if (!isRefused(error)) throw error;
        if (isReadOnly(error)) return undefined;
        const cause = String(Object(error).message);
        return `the role of db lacks ${privilege} on the table ${naming.nameOf(name)} (${cause}): grant it, as docs/migrations.md says`;
      }
    }
  }
  return undefined;
}
