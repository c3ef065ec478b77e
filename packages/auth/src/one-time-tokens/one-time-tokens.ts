import { integerOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { requireUid } from '../claims.ts';
import { AuthError } from '../errors.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { purgeStore } from '../sessions/store/purge-in-groups.ts';
import { hashToken } from '../tokens/refresh-token.ts';
import { assertPurpose, generateOneTimeToken, isOneTimeToken } from './one-time-token.ts';
import type { OneTimeToken } from './one-time-token-store.ts';
import { DEFAULT_TTL_SECONDS, MAX_TTL_SECONDS, MIN_TTL_SECONDS } from './one-time-token-ttl.ts';
import { type OneTimeTokensOptions, resolveOneTimeTokensOptions } from './one-time-tokens-options.ts';

/** What a one-time token is issued for. */
export interface OneTimeTokenRequest {
  /** The user, 1–128 characters; for an invitation, the id that you gave it. */
  readonly uid: string;
  /** What the token is good for: a lower-case letter, then at most 63 of `a-z`, `0-9` and `_`. */
  readonly purpose: string;
  /** 60 s to 30 days, default 3,600. */
  readonly ttlSeconds?: number | undefined;
  /** An open transaction of the host on the database of the store. */
  readonly transaction?: HostTransaction | undefined;
}

/** A new one-time token. Send it; it is stored nowhere. */
export type IssuedOneTimeToken = {
  /** 64 hex characters. */
  readonly token: string;
  /** Unix seconds. */
  readonly expiresAt: number;
};

/**
 * One-time tokens of one instance, for links in mails: password reset, invitation, verification of
 * an address.
 *
 * A token is bound to the instance, a user and a purpose, and it expires. A user has at most one
 * open token for a purpose. Only its SHA-256 is stored. The lookup is by that hash: how long a
 * database takes to compare hashes tells nothing, because nobody can choose a text by the start of
 * its hash.
 *
 * All methods are safe to call concurrently, in any number of processes on one store. If the
 * store fails, each rejects with the AuthError `unavailable`, whose `cause` is the store's error.
 * With a `transaction`, a method uses only that transaction's statements, tries each one once, and
 * rejects with the driver's error itself: the host then repeats its transaction from the start.
 */
export interface OneTimeTokens {
  /** The name that the tokens are bound to: the audience of `auth`, or the option `instance`. */
  readonly instance: string;

  /**
   * Issues a token, which replaces the user's open token for this purpose. Of concurrent calls, one
   * leaves its token.
   *
   * @throws TypeError when a value is out of bounds, or the store cannot take part in the
   *   transaction
   */
  issue(request: OneTimeTokenRequest): Promise<IssuedOneTimeToken>;

  /**
   * Consumes a token: exactly one of any number of concurrent calls gets it. Call it for a POST,
   * never for a GET, because mail scanners and previews open every link.
   *
   * In a transaction, the token is consumed when that commits. If it rolls back, the token is still
   * open.
   *
   * @param token whatever the client sent; a text of another form costs no lookup
   * @throws AuthError `one_time_token_invalid`, the same for a token that is malformed, unknown,
   *   used, replaced, revoked, expired, or for another purpose or instance
   * @throws TypeError if the purpose is not valid, or the store cannot take part in the transaction
   */
  consume(
    token: unknown,
    options: { readonly purpose: string; readonly transaction?: HostTransaction | undefined },
  ): Promise<OneTimeToken>;

  /**
   * Returns the token that {@link OneTimeTokens.consume} would accept now, and consumes nothing.
   * Call it before work that is expensive, such as hashing the new password, and for pages that
   * show whom they are for.
   *
   * @param token whatever the client sent; a text of another form costs no lookup
   * @throws AuthError `one_time_token_invalid`, for the same reasons
   * @throws TypeError if the purpose is not valid
   */
  validate(token: unknown, options: { readonly purpose: string }): Promise<OneTimeToken>;

  /**
   * Revokes the user's open tokens: all of them, or the one for a purpose. Call it when a password
   * or an address changes, and when a user is disabled.
   *
   * @returns how many tokens were revoked
   * @throws TypeError when a value is out of bounds, or the store cannot take part in the
   *   transaction
   */
  revokeAll(
    uid: string,
    options?: {
      readonly purpose?: string | undefined;
      readonly transaction?: HostTransaction | undefined;
    },
  ): Promise<number>;

  /**
   * Removes expired tokens of all instances from the store, in batches of 1,000, at most a million
   * a call. Tokens that were used, replaced or revoked are already gone.
   *
   * @returns how many tokens were removed
   */
  purge(): Promise<number>;
}

/**
 * Creates the one-time tokens of an instance over a store.
 *
 * ```ts
 * const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
 * const { token } = await tokens.issue({ uid: '7', purpose: 'password_reset' });
 * const { uid } = await tokens.consume(token, { purpose: 'password_reset' }); // throws a second time
 * ```
 *
 * @throws TypeError naming the option that is missing, unknown or out of bounds
 */
export function createOneTimeTokens(options: OneTimeTokensOptions): OneTimeTokens {
  const { store, instance, now } = resolveOneTimeTokensOptions(options);

  /** Guards against a store that compares loosely and finds another token. */
  function checked(found: OneTimeToken | undefined, purpose: string): OneTimeToken {
    if (found?.instance !== instance || found.purpose !== purpose) throw invalid();
    return found;
  }

  return Object.freeze<OneTimeTokens>({
    instance,

    async issue(request) {
      refuseUnknownOptions('issue', request, ISSUE_OPTIONS);
      const { uid, purpose, ttlSeconds = DEFAULT_TTL_SECONDS, transaction } = request;
      requireUid(uid);
      assertPurpose(purpose);
      integerOption('ttlSeconds', ttlSeconds, { min: MIN_TTL_SECONDS, max: MAX_TTL_SECONDS });
      const token = generateOneTimeToken();
      const issuedAt = now();
      const expiresAt = issuedAt + ttlSeconds;
      const tokenHash = hashToken(token);
      await store.issue({ tokenHash, uid, instance, purpose, issuedAt, expiresAt, transaction });
      return { token, expiresAt };
    },

    async consume(token, consumeOptions) {
      refuseUnknownOptions('consume', consumeOptions, CONSUME_OPTIONS);
      const { purpose, transaction } = consumeOptions;
      assertPurpose(purpose);
      if (!isOneTimeToken(token)) throw invalid();
      const tokenHash = hashToken(token);
      const consumed = await store.consume({ tokenHash, instance, purpose, now: now(), transaction });
      return checked(consumed, purpose);
    },

    async validate(token, validateOptions) {
      refuseUnknownOptions('validate', validateOptions, VALIDATE_OPTIONS);
      const { purpose } = validateOptions;
      assertPurpose(purpose);
      if (!isOneTimeToken(token)) throw invalid();
      const found = await store.find({ tokenHash: hashToken(token), instance, purpose, now: now() });
      return checked(found, purpose);
    },

    async revokeAll(uid, revokeOptions = {}) {
      refuseUnknownOptions('revokeAll', revokeOptions, CONSUME_OPTIONS);
      const { purpose, transaction } = revokeOptions;
      requireUid(uid);
      if (purpose !== undefined) assertPurpose(purpose);
      return await store.revokeAll({ uid, instance, purpose, now: now(), transaction });
    },

    async purge() {
      const expiredBefore = now();
      return await purgeStore((limit) => store.purge({ expiredBefore, limit }));
    },
  });
}

const ISSUE_OPTIONS: ReadonlySet<string> = new Set<keyof OneTimeTokenRequest>([
  'uid',
  'purpose',
  'ttlSeconds',
  'transaction',
]);
const CONSUME_OPTIONS: ReadonlySet<string> = new Set(['purpose', 'transaction']);
const VALIDATE_OPTIONS: ReadonlySet<string> = new Set(['purpose']);

function invalid(): AuthError {
  return new AuthError('one_time_token_invalid', 'The one-time token is unknown, used, replaced or expired');
}
