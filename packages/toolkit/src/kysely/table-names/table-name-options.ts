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
   * On PostgreSQL, the schema of the tables: 1–63 characters of `A-Z`, `a-z`, `0-9`, `_` and `-`,
   * no digit and no hyphen first, not beginning with `pg_`. Upper and lower case differ. Refused
   * for other databases. Default: the first schema of the connection's `search_path`.
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

/**
 * PostgreSQL cuts a longer name, so that two could become one. A character that means something to
 * what rewrites statements, such as the `$1` of a placeholder, could change the name on its way.
 */
const SCHEMA = /^(?!pg_)[a-z_][a-z0-9_-]{0,62}$/i;

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
    if (typeof schema !== 'string' || !SCHEMA.test(schema)) {
      throw new TypeError(
        'schema must have 1 to 63 characters of A-Z, a-z, 0-9, _ and -, no digit and no hyphen first, and must not begin with pg_',
      );
    }
  }
  return Object.freeze({ tablePrefix, schema });
}
