import type { DatabaseName } from '../../database-name.ts';

/** What a role needs that creates the tables, as a message tells it. */
export const MIGRATION_PRIVILEGES: Readonly<Record<DatabaseName, string>> = {
  postgres:
    'USAGE and CREATE on the schema of the tables (and CREATE on the database where that schema is new)',
  mysql: 'CREATE, ALTER, INDEX, REFERENCES, SELECT, INSERT, UPDATE and DELETE on the database',
  sqlite: 'the right to write the file',
};

/** SQLSTATE: insufficient_privilege, read_only_sql_transaction. */
const POSTGRES: readonly unknown[] = ['42501', '25006'];

/**
 * ER_DBACCESS_DENIED_ERROR, ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR,
 * ER_SPECIFIC_ACCESS_DENIED_ERROR, and those of a server or a transaction that only reads:
 * ER_OPTION_PREVENTS_STATEMENT, ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, ER_READ_ONLY_MODE.
 */
const MYSQL: readonly unknown[] = [1044, 1142, 1143, 1227, 1290, 1792, 1836];

/** Of these, those that say that the session or the server only reads. */
const READ_ONLY: readonly unknown[] = ['25006', 1290, 1792, 1836];

/** Whether the database refused a statement because the session or the server only reads. */
export function isReadOnly(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
  return READ_ONLY.includes(code) || READ_ONLY.includes(errno);
}

/**
 * Whether the database refused a statement to this role, or to everybody for it only reads. The
 * codes of the databases differ, so one function serves all of them.
 */
export function isRefused(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
  return POSTGRES.includes(code) || MYSQL.includes(errno) || /^SQLITE_READONLY/.test(String(code));
}
