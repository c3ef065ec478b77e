import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { DatabaseName } from '../../../toolkit/src/database-name.ts';
import {
  TABLE_NAME_OPTIONS,
  type TableNameOptions,
} from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { createTableNaming, type TableNaming } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import type { AuthTables } from './tables.ts';

const TABLES: readonly (keyof AuthTables)[] = [
  'refresh_tokens',
  'api_keys',
  'login_failures',
  'one_time_tokens',
  'auth_audit',
  'auth_migrations',
];

/** Unique constraints, each of which is an index, and the one primary key that has a name. */
const CONSTRAINTS = [
  'api_keys_by_hash',
  'api_keys_by_owner',
  'refresh_tokens_by_hash',
  'refresh_tokens_by_family',
  'refresh_tokens_by_user',
  'refresh_tokens_by_revocation',
  'refresh_tokens_by_expiry',
  'login_failures_by_expiry',
  'one_time_tokens_pkey',
  'one_time_tokens_by_hash',
  'one_time_tokens_by_expiry',
  'auth_audit_by_user',
  'auth_audit_by_age',
] as const;

/** Every name of this package in a database, by default. */
export const DEFAULT_NAMES = { tables: TABLES, others: CONSTRAINTS } as const;

/** The options of a store that has no others. */
export const TABLE_NAMES: ReadonlySet<string> = new Set(TABLE_NAME_OPTIONS);

/** The names of the tables in the host's database. */
export function authNaming(
  db: QueryExecutorProvider,
  options: TableNameOptions,
  dialect: DatabaseName,
): TableNaming {
  return createTableNaming(DEFAULT_NAMES, db, options, dialect);
}

/** A table of ours as a part of raw SQL: there, too, it gets the name of the database. */
export function nameInSql(name: keyof AuthTables): RawBuilder<unknown> {
  return sql.raw(name);
}
