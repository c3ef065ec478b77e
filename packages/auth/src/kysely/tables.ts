import { QueryCreator, type QueryExecutorProvider } from 'kysely';

/**
 * One refresh token. A session's root has `id` = `family_id`, and alone holds what concerns the
 * whole session.
 */
export interface RefreshTokenTable {
  /** 32 hex characters. */
  id: string;
  /** 64 hex characters: SHA-256 of the token. */
  token_hash: string;
  family_id: string;
  uid: string;
  instance: string;
  /** Every time is Unix seconds; some drivers give text for the type. */
  created_at: number;
  expires_at: number;
  /** Of a root: the session's last use. Of a successor: when it was first presented, or null. */
  last_used_at: number | null;
  rotated_at: number | null;
  /**
   * Leads, with the token and a secret of the instance, to its successor; null where it has none.
   */
  successor_salt: string | null;
  /** The key whose secret that is: a `kid`, or a fingerprint. Null where there is no successor. */
  successor_key_id: string | null;
  successor_used_at: number | null;
  /** Of a root: when the session was revoked. */
  revoked_at: number | null;
  revoke_reason: string | null;
  user_agent: string;
  ip: string;
  /** Of a root: JSON array of `{ since, ip, user_agent }`, at most five, newest first. */
  refreshed_from: string;
}

/** One API key. */
export interface ApiKeyTable {
  /** 32 hex characters. */
  id: string;
  instance: string;
  uid: string;
  name: string;
  display_prefix: string;
  /** `sha256$<hex>`. */
  key_hash: string;
  /** JSON array of texts. */
  scopes: string;
  /** Every time is Unix seconds; some drivers give text for the type. */
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** Which migrations `migrateAuth` has applied. */
export interface MigrationTable {
  name: string;
  /** Unix seconds; null while it is being applied, where that is no part of a transaction. */
  applied_at: number | null;
}

/** Every table of this package, by its name in the database. */
export interface AuthTables {
  refresh_tokens: RefreshTokenTable;
  api_keys: ApiKeyTable;
  auth_migrations: MigrationTable;
}

/** Typed statements on these tables, over a connection or a transaction of the host's. */
export type Tables = QueryCreator<AuthTables>;

/**
 * Our tables on the host's connection, past the host's plugins: one that renames columns or parses
 * JSON in results would change what the rows mean.
 */
export function tablesOf(host: QueryExecutorProvider): Tables {
  return new QueryCreator<AuthTables>({ executor: host.getExecutor().withoutPlugins() });
}

/** A time as the interface has it, however the driver gives the column. */
export function timeOf(value: number | null): number | null {
  return value === null ? null : Number(value);
}
