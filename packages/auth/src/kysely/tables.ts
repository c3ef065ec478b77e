import type { Generated, QueryCreator } from 'kysely';

/**
 * One refresh token. The root of a session has `id` = `family_id`, and only its row has the columns
 * that concern the whole session.
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
  /** Of a root: the session's last use. Of a successor: its first presentation, or null. */
  last_used_at: number | null;
  rotated_at: number | null;
  /**
   * The salt that, with the token and a secret of the instance, derives the successor; null if
   * there is no successor.
   */
  successor_salt: string | null;
  /** The key with that secret: a `kid` or a fingerprint. Null if there is no successor. */
  successor_key_id: string | null;
  successor_used_at: number | null;
  /**
   * Of the root of a session that is not revoked: its `uid`. Null in every other row, so that an
   * index finds a user's sessions without reading what has ended.
   */
  live_uid: string | null;
  /** Of a root: when the session was revoked. */
  revoked_at: number | null;
  revoke_reason: string | null;
  user_agent: string;
  ip: string;
  /** Of a root: JSON array of `{ since, ip, user_agent }`, at most five, newest first. */
  refreshed_from: string;
  /** Of a root, unused: how its tokens travel. */
  transport: Generated<string>;
  /** Of a root, unused: who acts for the user. */
  actor: string | null;
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
  /** Unused: who created it. */
  created_by: string | null;
  /** Unused: the id of its successor, and until when both are valid. */
  replaced_by: string | null;
  replaced_until: number | null;
}

/** Failed log-ins of one account, network or device in one window. */
export interface LoginFailureTable {
  /** A keyed hash, which reveals none of them. */
  id: string;
  failures: number;
  /** Attempts that have begun and not ended. */
  under_way: number;
  /** Unix seconds; some drivers give text for the type. When the row may go. */
  expires_at: number;
}

/** The open one-time token of a user for a purpose. */
export interface OneTimeTokenTable {
  uid: string;
  instance: string;
  purpose: string;
  /** 64 hex characters: SHA-256 of the token. */
  token_hash: string;
  /** Every time is Unix seconds; some drivers give text for the type. */
  created_at: number;
  expires_at: number;
}

/** Unused: who did what. */
export interface AuditTable {
  id: string;
  instance: string;
  /** Whom it is about. */
  uid: string;
  actor: string | null;
  action: string;
  /** JSON text. */
  details: string | null;
  created_at: number;
}

/** The migrations that `migrateAuth` has applied. */
export interface MigrationTable {
  name: string;
  /**
   * Unix seconds. Null while the migration is being applied, on databases where that happens
   * outside a transaction.
   */
  applied_at: number | null;
}

/** The tables of this package, by their names in the database. */
export interface AuthTables {
  refresh_tokens: RefreshTokenTable;
  api_keys: ApiKeyTable;
  login_failures: LoginFailureTable;
  one_time_tokens: OneTimeTokenTable;
  auth_audit: AuditTable;
  auth_migrations: MigrationTable;
}

/** Typed statements on these tables, over a connection or a transaction of the host. */
export type Tables = QueryCreator<AuthTables>;

/** Returns a time as the interface declares it, from either form that a driver may return. */
export function timeOf(value: number | null): number | null {
  return value === null ? null : Number(value);
}
