/**
 * Keeps sessions and their refresh tokens; knows tokens by their SHA-256 alone.
 *
 * A session is a *family* of refresh tokens: the *root* token, made at log-in, and its successors,
 * each derived from the one before it with a secret that no store knows. One row per token in
 * `refresh_tokens`; the root's row has `id` = `family_id` = the session's id. Only the root's row
 * has the state of the session as a whole: `revoked_at` and `revoke_reason`, `user_agent` and `ip`,
 * `refreshed_from`, and as `last_used_at` the session's last use. Every row of a family has the
 * same `uid`, `instance` and `expires_at`. A successor's `last_used_at` is when it was first
 * presented, and is written once.
 *
 * A session is *live* while its root is not revoked and `now < expiresAt`. Nothing ever makes a
 * session live again, and nothing moves its `expiresAt`.
 *
 * For every method:
 * - Times are whole Unix seconds of the caller's clock; a store may keep them in any form.
 * - Ids and hashes are lower-case hex; `uid` and `instance` compare byte for byte, case and
 *   trailing space included.
 * - A session of another instance is as good as absent.
 * - A call that has resolved is durable. A call that rejects has changed nothing, as far as the
 *   store can tell; repeating it is safe.
 * - All methods may be called at once, from any number of processes.
 */
export interface SessionStore {
  /**
   * Stores a new session with its root token. Rejects when its id or token hash is taken.
   *
   * The root counts as used at `createdAt`.
   */
  create(session: NewSession): Promise<void>;

  /**
   * Takes a presented refresh token: judges it, records its use, rotates it when it is due. Atomic.
   *
   * The first step that applies decides. The session's root is read in the same transaction as
   * every write, and locked if the database has row locks. So a revocation that commits first wins,
   * and all concurrent callers see the same successor:
   *
   * 1. No row of this hash and instance, or no root: `unknown`. `now >= expiresAt`: `expired`. Root
   *    revoked: `revoked`. None of them writes anything.
   * 2. The token has a successor. If the successor was first presented `reuseGraceSeconds` ago or
   *    more, the session is revoked with reason `reuse`, and the answer is `reused`, once; later
   *    calls find it revoked. Otherwise: `rotated` with the salt and the key id that were stored,
   *    and nothing is written.
   * 3. The token has none. If it is a successor that is presented for the first time, that is
   *    recorded: its own first use, and `successor_used_at` of its predecessor, which is the one
   *    row of the family that has a successor but no `successor_used_at`.
   * 4. The token was first used (a root: created) `rotateEverySeconds` ago or more: `rotated_at`,
   *    `successor_salt` = `salt` and `successor_key_id` = `keyId` are stored, and the successor's
   *    row with id `nextId`, hash `successorHash(salt)` and no use yet. The answer is `rotated`,
   *    with that salt and key id. One family never has two tokens without a successor.
   * 5. Otherwise `current`.
   *
   * In steps 3 to 5 the session's last use becomes `now` where it lies `recordUseEverySeconds` or
   * more in the past, or something else is written anyway. A call that ends in step 1, 2
   * (`rotated`) or 5 without a write should only read: it is what every poll of every client does.
   */
  useRefreshToken(use: RefreshTokenUse): Promise<RefreshTokenOutcome>;

  /**
   * Finds the live session of a refresh token, without recording a use. `undefined` for every other
   * token.
   */
  findByToken(query: TokenQuery): Promise<FoundToken | undefined>;

  /**
   * Replaces the list of clients that a live session was refreshed from, where it still is the
   * expected one. Atomic: of several calls at once that expect the same, one replaces it.
   *
   * @returns whether this call did
   */
  recordClients(record: ClientRecord): Promise<boolean>;

  /**
   * Revokes a live session. Atomic; of several calls at once, one revokes.
   *
   * @returns the session, when this call revoked it; `undefined` when there is none of this id,
   *   instance and (where given) uid, or when it was not live any more, in which case time and
   *   reason stay as they are
   */
  revoke(revocation: SessionRevocation): Promise<Session | undefined>;

  /**
   * Revokes every live session of a user in one step, `exceptSessionId` left alone.
   *
   * In a transaction of the host's, where one is given: by its statements alone, each tried once,
   * so that the revocation commits with it or never happened.
   *
   * @throws TypeError when it is given a transaction that it cannot take part in: nothing is
   *   revoked
   * @returns the ids of those that this call revoked, in no order
   */
  revokeAll(revocation: UserRevocation): Promise<readonly string[]>;

  /**
   * Lists a user's live sessions, newest first (by `createdAt`, then by id, both descending), at
   * most `limit`.
   */
  list(query: SessionListQuery): Promise<readonly Session[]>;

  /**
   * Lists sessions of the instance that were revoked at `since` or later, by `revokedAt`, then id,
   * both ascending; at most `limit`, only those that come behind `after` in this order. Those that
   * would have expired by now may be among them until they are purged.
   */
  listRevocations(query: RevocationQuery): Promise<readonly Revocation[]>;

  /**
   * Removes at most `limit` tokens, of all instances, with `expiresAt <= expiredBefore`, revoked or
   * not.
   *
   * @returns how many were removed; fewer than `limit` means that none is left
   */
  purge(options: PurgeOptions): Promise<number>;
}

/** Why a session ended before its time. */
export type RevokeReason =
  /** Its user logged out. */
  | 'logout'
  /** A log-in came with its cookie: the new session replaces it. */
  | 'login'
  /** Somebody ended this one session: its user in the list of sessions, or the host. */
  | 'revoked'
  /** All sessions of the user were ended. */
  | 'revoked_all'
  /** A refresh token was presented again after its successor had been used. */
  | 'reuse'
  /** At a status poll the host did not know the user, or had disabled it. */
  | 'user_disabled';

/** A session, as it is listed. */
export interface Session {
  /** 32 hex characters: the `sid` of its access tokens. */
  readonly id: string;
  /** 1–128 characters. */
  readonly uid: string;
  /** The audience, or cookie path, of the instance it belongs to. 1–256 characters. */
  readonly instance: string;
  readonly createdAt: number;
  /** Fixed at log-in: rotation does not move it. */
  readonly expiresAt: number;
  /** Not every poll is recorded: it may lie some minutes back. */
  readonly lastUsedAt: number;
  /** At log-in; at most 256 characters, without U+0000, possibly empty. */
  readonly userAgent: string;
  /** At log-in; at most 64 characters, possibly empty. */
  readonly ip: string;
  /**
   * The clients that it was refreshed from since the log-in, newest first: one entry for each
   * change, at most five. The client of the log-in itself is not among them until it comes back; of
   * a new session it is empty.
   */
  readonly refreshedFrom: readonly RefreshClient[];
}

/** A client from which a session was refreshed, until the next one. */
export interface RefreshClient {
  /** When its first refresh was recorded. Unix seconds. */
  readonly since: number;
  /** At most 64 characters, possibly empty. */
  readonly ip: string;
  /** At most 256 characters, without U+0000, possibly empty. */
  readonly userAgent: string;
}

export interface ClientRecord {
  readonly sessionId: string;
  readonly instance: string;
  readonly now: number;
  /** What {@link Session.refreshedFrom} was when it was judged. */
  readonly expected: readonly RefreshClient[];
  readonly refreshedFrom: readonly RefreshClient[];
}

export interface NewSession extends Omit<Session, 'lastUsedAt' | 'refreshedFrom'> {
  /** Of the root token: 64 hex characters. */
  readonly tokenHash: string;
}

export interface RefreshTokenUse {
  readonly tokenHash: string;
  readonly instance: string;
  readonly now: number;
  /** The age, counted from a token's first use, at which it gets a successor. */
  readonly rotateEverySeconds: number;
  /** How long a token is still accepted after its successor was first presented. */
  readonly reuseGraceSeconds: number;
  /** How precise a session's last use is. */
  readonly recordUseEverySeconds: number;
  /** 32 random hex characters, used if this call rotates. */
  readonly salt: string;
  /**
   * 1–64 characters of ASCII: the key that `successorHash` derives with, stored if this call
   * rotates.
   */
  readonly keyId: string;
  /** The id of the successor's row, used if this call rotates. */
  readonly nextId: string;
  /** Gives the hash of the successor that a salt leads to. Pure and synchronous. */
  successorHash(salt: string): string;
}

export type RefreshTokenOutcome =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | { readonly outcome: 'revoked'; readonly session: Session }
  /** Presented after its successor: this call has revoked the session. */
  | { readonly outcome: 'reused'; readonly session: Session }
  /** Valid, and not due for rotation. */
  | { readonly outcome: 'current'; readonly session: Session }
  /**
   * Valid, with the successor that salt and key lead to; whoever presents the token is given the
   * same.
   */
  | {
      readonly outcome: 'rotated';
      readonly session: Session;
      readonly successorSalt: string;
      readonly successorKeyId: string;
    };

export interface TokenQuery {
  readonly tokenHash: string;
  readonly instance: string;
  readonly now: number;
}

export interface FoundToken {
  readonly session: Session;
  /** Whether the token has a successor. */
  readonly isRotated: boolean;
}

export interface SessionRevocation {
  readonly sessionId: string;
  readonly instance: string;
  /** Where given, only a session of this user is revoked. */
  readonly uid?: string | undefined;
  readonly now: number;
  readonly reason: RevokeReason;
}

export interface UserRevocation {
  readonly uid: string;
  readonly instance: string;
  readonly exceptSessionId?: string | undefined;
  readonly now: number;
  readonly reason: RevokeReason;
  readonly transaction?: HostTransaction | undefined;
}

/**
 * An open transaction of the host's, of the kind that its store knows: a Kysely `Transaction` for
 * `kyselySessionStore`.
 */
export interface HostTransaction {
  readonly isTransaction: true;
}

export interface SessionListQuery {
  readonly uid: string;
  readonly instance: string;
  readonly now: number;
  readonly limit: number;
}

export interface Revocation {
  readonly sessionId: string;
  readonly uid: string;
  readonly revokedAt: number;
}

export interface RevocationQuery {
  readonly instance: string;
  readonly since: number;
  /** The last one of the page before. */
  readonly after?: Pick<Revocation, 'revokedAt' | 'sessionId'> | undefined;
  readonly limit: number;
}

export interface PurgeOptions {
  readonly expiredBefore: number;
  readonly limit: number;
}
