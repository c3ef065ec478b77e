import type { DatabaseName } from '../../database-name.ts';

/** Where a package keeps its tables in the host's database. */
export interface TableNameOptions {
  /**
   * What the names of all tables, indexes, constraints and locks of the package begin with, such as
   * `acme_`: 1–16 characters of `a-z`, `0-9` and `_`, no digit first, and not `sqlite_`. Default:
   * nothing.
   */
  readonly tablePrefix?: string | undefined;
  /**
   * On PostgreSQL, the schema of the tables: 1–63 bytes of UTF-8 without a NUL, not beginning with
   * `pg_`. Upper and lower case differ. Refused for other databases. Default: the first schema of
   * the connection's `search_path`.
   */
  readonly schema?: string | undefined;
}

/** The names of {@link TableNameOptions}. */
export const TABLE_NAME_OPTIONS = [
  'tablePrefix',
  'schema',
] as const satisfies readonly (keyof TableNameOptions)[];

/** With the longest of our names, a name stays below the 63 bytes of PostgreSQL. */
const PREFIX = /^(?!sqlite_)[a-z_][a-z0-9_]{0,15}$/;

/** PostgreSQL cuts a longer name, so that two could become one. */
const MAX_SCHEMA_BYTES = 63;

/**
 * Checks the options, and returns a copy that does not change with them.
 *
 * @throws TypeError naming the option and its bounds
 */
export function readTableNameOptions(
  { tablePrefix, schema }: TableNameOptions,
  dialect: DatabaseName,
): TableNameOptions {
  if (tablePrefix !== undefined && !(typeof tablePrefix === 'string' && PREFIX.test(tablePrefix))) {
    throw new TypeError(
      'tablePrefix must have 1 to 16 characters of a-z, 0-9 and _, no digit first, and must not begin with sqlite_',
    );
  }
  if (schema !== undefined) {
    if (dialect !== 'postgres') {
      throw new TypeError('schema is for PostgreSQL alone: on SQLite, MySQL and MariaDB give a tablePrefix');
    }
    if (!isSchemaName(schema)) {
      throw new TypeError(
        `schema must have 1 to ${MAX_SCHEMA_BYTES} bytes of UTF-8 without a NUL, and must not begin with pg_`,
      );
    }
  }
  return Object.freeze({ tablePrefix, schema });
}

function isSchemaName(value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || value.includes('\0') || /^pg_/i.test(value)) return false;
  const bytes = Buffer.from(value);
  // Half of a surrogate pair is no UTF-8: it would become another character on its way.
  return bytes.length <= MAX_SCHEMA_BYTES && bytes.toString() === value;
}
