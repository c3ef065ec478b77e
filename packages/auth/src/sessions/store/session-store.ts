import type { StoreInterface } from '../../host-store.ts';
import type { HostTransaction } from '../../host-transaction.ts';
import type { RevocationRefusal } from '../revocation/asked-by.ts';
import type { RefreshClient, RevokeReason, Session } from '../session.ts';
import type { RefreshTokenOutcome, RefreshTokenUse } from './refresh-token-use.ts';

export type { RefreshTokenOutcome, RefreshTokenUse } from './refresh-token-use.ts';

/**
 * Stores sessions and their refresh tokens. Of a token, the store gets only the SHA-256.
 *
 * A session is a *family* of refresh tokens: the *root* token, made at log-in, and its successors.
 * Each successor is derived from the token before it with a secret that no store knows. The table
 * `refresh_tokens` has one row per token, and the root's row has `id` = `family_id` = the session's
 * id.
 *
 * Only the root's row has the state of the session as a whole: `revoked_at` and `revoke_reason`,
 * `user_agent` and `ip`, `refreshed_from`, and in `last_used_at` the session's last use. Every row
 * of a family has the same `uid`, `instance` and `expires_at`. A successor's `last_used_at` is the
 * time of its first presentation and is written once.
 *
 * A session is *live* while its root is not revoked and `now < expiresAt`. Nothing ever makes a
 * session live again, and nothing moves its `expiresAt`.
 *
 * For every method:
 * - Times are whole Unix seconds of the caller's clock. A store may keep them in any form.
 * - Ids and hashes are lower-case hex. `uid` and `instance` compare byte for byte, case and
 *   trailing space included.
 * - A session of another instance does not exist.
 * - A call that has resolved is durable. A call that rejects has changed nothing, as far as the
 *   store can tell, and is safe to repeat.
 * - All methods may be called concurrently, from any number of processes.
 */
export interface SessionStore {
  /**
   * Stores a new session with its root token, and revokes the live sessions of the instance that
   * have one of the tokens `replaces`, at `createdAt` with the reason `login`. Atomic. Rejects if
   * the id or token hash is taken.
   *
   * The root counts as used at `createdAt`.
   *
   * @returns the sessions that this call revoked, in no particular order
   */
  create(session: NewSession): Promise<readonly Session[]>;

  /**
   * Accepts a presented refresh token: judges it, records its use, and rotates it when it is due.
   * Atomic.
   *
   * The first step that applies decides. The session's root is read in the same transaction as
   * every write, and locked if the database has row locks. A revocation that commits first wins,
   * and all concurrent callers see the same successor:
   *
   * 1. If no row has this hash and instance, or there is no root, the outcome is `unknown`. If `now
   *    >= expiresAt`, it is `expired`. If the root is revoked, it is `revoked`. None of them writes
   *    anything.
   * 2. If the token has a successor, the successor's first presentation decides. If that was
   *    `reuseGraceSeconds` ago or more, the session is revoked with reason `reuse` and the outcome
   *    is `reused`, once; later calls find the session revoked. Otherwise the outcome is `rotated`,
   *    with the stored time, salt and key id, and nothing is written.
   * 3. If the token is a successor that is presented for the first time, two times are recorded:
   *    its own first use, and `successor_used_at` of its predecessor: `now`, or `rotated_at` if
   *    that is later, because the rotation came first, whatever the clocks say. The predecessor is
   *    the one row of the family that has a successor but no `successor_used_at`.
   * 4. If the token was first used (a root: created) `rotateEverySeconds` ago or more, it is
   *    rotated. The call stores `rotated_at`, `successor_salt` = `salt` and `successor_key_id` =
   *    `keyId`, and adds the successor's row with id `nextId`, hash `successorHash(salt)` and no
   *    use yet. The outcome is `rotated`, with that salt and key id. One family never has two
   *    tokens without a successor.
   * 5. Otherwise the outcome is `current`.
   *
   * In steps 3 to 5, the session's last use becomes `now` if it is `recordUseEverySeconds` or more
   * in the past, or if the call writes something else anyway. A call that ends without a write in
   * step 1, 2 (`rotated`) or 5 should only read, because every poll of every client makes such a
   * call.
   */
  useRefreshToken(use: RefreshTokenUse): Promise<RefreshTokenOutcome>;

  /**
   * Finds the live session of a refresh token, without recording a use. Returns `undefined` for
   * every other token.
   */
  findByToken(query: TokenQuery): Promise<FoundToken | undefined>;

  /**
   * Replaces the list of clients that a live session was refreshed from, if the list still is the
   * expected one. Atomic: of several concurrent calls that expect the same list, one replaces it.
   *
   * @returns whether this call replaced the list
   */
  recordClients(record: ClientRecord): Promise<boolean>;

  /**
   * Revokes a live session. Atomic: of several concurrent calls, one revokes it.
   *
   * @returns the session if this call revoked it; `undefined` if there is none with this id,
   *   instance and (if given) uid, or if it was no longer live, in which case its time and reason
   *   stay unchanged; a refusal if {@link AskedBy} does not allow it
   */
  revoke(revocation: SessionRevocation): Promise<Session | RevocationRefusal | undefined>;

  /**
   * Atomically revokes every live session of a user, except `exceptSessionId` and `askedBy`.
   *
   * If the host passes a transaction, the store uses only that transaction's statements and tries
   * each one once. The revocation then commits or rolls back with the transaction.
   *
   * @throws TypeError when it cannot take part in the given transaction: nothing is revoked
   * @returns the ids of the sessions that this call revoked, in no particular order; a refusal if
   *   {@link AskedBy} does not allow one of them, in which case nothing is revoked
   */
  revokeAll(revocation: UserRevocation): Promise<readonly string[] | RevocationRefusal>;

  /**
   * Revokes the oldest live sessions of a user, so that at most `keep` are left, of which the
   * session `newestId` is one. Atomic.
   *
   * The oldest is the first by `createdAt`, then by id. The session `newestId` counts as the
   * newest, whatever its time: it is never among those that the call revokes. Of several concurrent
   * calls for one user, each sees what the one before it revoked. If each of the user's sessions
   * was created before its call, at most `keep` are live after the last.
   *
   * @returns the ids of the sessions that this call revoked, in no particular order; `undefined` if
   *   the user has no live session `newestId`, in which case nothing is revoked
   */
  revokeOldest(revocation: OldestRevocation): Promise<readonly string[] | undefined>;

  /**
   * Lists a user's live sessions, newest first: by `createdAt`, then by id, both descending.
   * Returns at most `limit` sessions, all of which come after `after` in this order. No session
   * need exist at that place. The list is empty if `askedBy` is given and is not a live session of
   * the user, by the same statement.
   */
  list(query: SessionListQuery): Promise<readonly Session[]>;

  /**
   * Lists the sessions of the instance that were revoked at `since` or later, by `revokedAt`, then
   * by id, both ascending. Returns at most `limit` of them, all of which come after `after` in this
   * order. Sessions that would have expired by now may be listed until they are purged; a purged
   * session is not listed.
   */
  listRevocations(query: RevocationQuery): Promise<readonly Revocation[]>;

  /**
   * Removes at most `limit` tokens, of all instances: those with `expiresAt <= expiredBefore`,
   * revoked or not, and all tokens of the sessions that were revoked at `revokedBefore` or earlier.
   * From then on they are `unknown`. A session whose tokens go in several calls, or in one that is
   * killed, is `revoked` or `unknown` in between, and never live.
   *
   * @returns how many tokens were removed; fewer than `limit` means that none is left
   */
  purge(options: SessionPurgeOptions): Promise<number>;
}

/** What every such store must be able to do. */
export const SESSION_STORE: StoreInterface<SessionStore> = {
  name: 'SessionStore',
  label: 'The session store',
  methods: {
    create: 'store a new session',
    useRefreshToken: 'accept a refresh token',
    findByToken: 'find the session of a refresh token',
    recordClients: 'record where a session is used from',
    revoke: 'revoke a session',
    revokeAll: 'revoke the sessions of a user',
    revokeOldest: 'revoke the oldest sessions of a user',
    list: 'list the sessions of a user',
    listRevocations: 'list the sessions that were revoked',
    purge: 'purge sessions',
  },
};

export interface ClientRecord {
  readonly sessionId: string;
  readonly instance: string;
  readonly now: number;
  /** The value of {@link Session.refreshedFrom} that the caller judged. */
  readonly expected: readonly RefreshClient[];
  readonly refreshedFrom: readonly RefreshClient[];
}

export interface NewSession extends Omit<Session, 'lastUsedAt' | 'refreshedFrom'> {
  /** Of the root token: 64 hex characters. */
  readonly tokenHash: string;
  /** The hashes of at most four tokens, whose sessions the new one replaces. */
  readonly replaces?: readonly string[] | undefined;
}

/** On whose behalf sessions are listed or ended. */
export interface AskedBy {
  /**
   * The id of a session. It must be a live one of the user, and it ends no session with a later
   * `createdAt`; this is judged in the transaction of the revocation.
   */
  readonly askedBy?: string | undefined;
}

export interface TokenQuery {
  readonly tokenHash: string;
  readonly instance: string;
  readonly now: number;
}

export interface FoundToken {
  readonly session: Session;
  /** True if the token has a successor. */
  readonly isRotated: boolean;
}

export interface SessionRevocation extends AskedBy {
  readonly sessionId: string;
  readonly instance: string;
  /** If given, only a session of this user is revoked. */
  readonly uid?: string | undefined;
  readonly now: number;
  readonly reason: RevokeReason;
}

export interface UserRevocation extends AskedBy {
  readonly uid: string;
  readonly instance: string;
  readonly exceptSessionId?: string | undefined;
  readonly now: number;
  readonly reason: RevokeReason;
  readonly transaction?: HostTransaction | undefined;
}

export interface OldestRevocation {
  readonly uid: string;
  readonly instance: string;
  /** The session that the log-in has just created. */
  readonly newestId: string;
  /** How many live sessions may be left. At least 1. */
  readonly keep: number;
  readonly now: number;
  readonly reason: RevokeReason;
}

export interface SessionListQuery extends AskedBy {
  readonly uid: string;
  readonly instance: string;
  readonly now: number;
  /** The last session of the page before. */
  readonly after?: Pick<Session, 'createdAt' | 'id'> | undefined;
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
  /** The last revocation of the previous page. */
  readonly after?: Pick<Revocation, 'revokedAt' | 'sessionId'> | undefined;
  readonly limit: number;
}

export interface PurgeOptions {
  readonly expiredBefore: number;
  readonly limit: number;
}

export interface SessionPurgeOptions extends PurgeOptions {
  /** Not given: no token is removed because its session was revoked. */
  readonly revokedBefore?: number | undefined;
}
