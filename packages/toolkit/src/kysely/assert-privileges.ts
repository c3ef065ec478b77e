import { type Kysely, sql } from 'kysely';
import type { DatabaseName } from '../database-name.ts';
import type { DriverErrors } from './driver-errors.ts';
import { isReadOnly, isRefused } from './migrations/refused-statement.ts';
import type { TableNaming } from './table-names/table-naming.ts';

/**
 * Fails if the role lacks a privilege on one of these tables. Each is tried by a statement that
 * writes no row. A table or a column that is missing, and a server that only reads for a while, are
 * no matter of privileges. SQLite has no roles, and there the statements would wait for a writer.
 *
 * @param tables with a column of each by which an update is tried; '' if it is only read
 * @param misconfigured makes the package's error
 */
export async function assertPrivileges<DB>(
  db: Kysely<DB>,
  { name, isMissing }: Pick<DriverErrors, 'isMissing'> & { readonly name: DatabaseName },
  naming: TableNaming,
  tables: Readonly<Record<string, string>>,
  misconfigured: (text: string) => Error,
): Promise<void> {
  for (const [tableName, column] of name === 'sqlite' ? [] : Object.entries(tables)) {
    const table = sql.table(tableName);
    const statements = {
      SELECT: sql`select * from ${table} where 1 = 0`,
      ...(column !== '' && {
        INSERT: sql`insert into ${table} select * from ${table} where 1 = 0`,
        UPDATE: sql`update ${table} set ${sql.ref(column)} = ${sql.ref(column)} where 1 = 0`,
        DELETE: sql`delete from ${table} where 1 = 0`,
      }),
    };
    for (const [privilege, statement] of Object.entries(statements)) {
      await statement.execute(naming.on(db)).catch((error: unknown) => {
        if (isMissing(error) || isReadOnly(error)) return;
        if (!isRefused(error)) throw error;
        const what = `${privilege} on the table ${naming.nameOf(tableName)} (${String(Object(error).message)})`;
        throw misconfigured(`The role of db lacks ${what}: grant it, as docs/migrations.md says`);
      });
    }
  }
}
