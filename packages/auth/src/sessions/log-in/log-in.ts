import { objectOption } from '../../../../toolkit/src/options.ts';
import { requireUid } from '../../claims.ts';
import { parseClientAddress } from '../../client-address.ts';
import type { AuthErrorCode } from '../../error-codes.ts';
import { AuthError, isAuthError } from '../../errors.ts';
import { isLateCall } from '../../host-call.ts';
import { isPossibleLogin } from '../../text/login.ts';
import type { CountedAgainst } from '../../throttle/throttle.ts';
import { generateId } from '../../tokens/random-id.ts';
import { generateRefreshToken, hashToken } from '../../tokens/refresh-token.ts';
import { plainClient, storedClient } from '../clients/stored-client.ts';
import type { ThrottledEvent } from '../events/session-events.ts';
import { presentedHashes, type SessionEndings } from '../revocation/session-endings.ts';
import { grantSession, type SessionGrant } from '../session-grant.ts';
import type { ResolvedSessionsOptions, SessionClient, SessionUser } from '../sessions-options.ts';
import type { NewSession } from '../store/session-store.ts';
import { type CountedLogIn, countLogIn } from './counted-log-in.ts';
import type { Credentials } from './credentials.ts';
import { sessionTtlSeconds } from './remember-me.ts';

const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 86_400;
/** What a log-in may be refused with without an answer to a guess. */
const UNCOUNTED: ReadonlySet<AuthErrorCode> = new Set<AuthErrorCode>([
  'rate_limited',
  'hashing_busy',
  'second_factor_required',
  'unavailable',
]);
const BEGUN = 'The response was begun during the log-in';
const COUNTED_TOGETHER =
  'the failed log-ins of such clients are counted together, and may lock all of them out. This is logged once; see clientAddress';

/** Where a log-in came from, with which cookies, and for how long. */
export interface LoginClient extends SessionClient {
  /**
   * The refresh tokens that the client presents. Their sessions end, because the new one replaces
   * them.
   */
  readonly refreshTokens?: readonly string[] | undefined;
  /**
   * The values of all cookies `known_device` that the client presents. The name has the prefix of
   * the instance, if it has one.
   */
  readonly deviceCookies?: readonly string[] | undefined;
  /**
   * `true` makes a session of `rememberMeTtlSeconds` instead of `refreshTokenTtlSeconds`. Default
   * `false`. A TypeError if it is not a boolean, or is `true` without that option.
   */
  readonly rememberMe?: boolean | undefined;
}

/** A client of the endpoint, whose answer somebody else may begin meanwhile. */
export interface ServedClient extends LoginClient {
  hasBegun?(): boolean;
}

/** How far a log-in has come: what an event about its refusal says beyond the error. */
export interface LoginProgress {
  /** Everything in the credentials that may name the account, once it has been read. */
  logins: readonly unknown[];
  /** Who decides about the log-in now. */
  decider: ThrottledEvent['by'];
}

/** Creates sessions: for credentials, or for a user whom the host has identified by other means. */
export interface LogIn {
  /** @param progress is kept up to date, for events about the log-in */
  withCredentials(
    credentials: Credentials,
    client: ServedClient,
    progress: LoginProgress,
  ): Promise<SessionGrant>;
  asUser(uid: string, client: LoginClient): Promise<SessionGrant>;
}

export function createLogIn(options: ResolvedSessionsOptions, endings: SessionEndings): LogIn {
  const { loadUser } = options;
  const reportAddress = addressReporter(options);

  /**
   * Creates a session in place of those of presented tokens, in one step: a failure leaves the user
   * with the session of before, and an attacker who planted a cookie (session fixation) has one
   * that is over.
   */
  async function start(
    uid: string,
    user: SessionUser,
    client: ServedClient,
    begun: number,
  ): Promise<SessionGrant> {
    requireUid(uid, 'The uid of a user');
    const { rememberMeTtlSeconds, auth } = options;
    const ttlSeconds = sessionTtlSeconds(rememberMeTtlSeconds, auth.options, client.rememberMe ?? false);
    const replaces = presentedHashes(client.refreshTokens ?? []);
    const refreshToken = generateRefreshToken();
    const session = newSession(options, uid, client, ttlSeconds);
    // Before there is a session, so that scopes that no token can carry create none.
    const grant = await grantSession(
      options,
      { ...session, lastUsedAt: session.createdAt, refreshedFrom: [] },
      user,
      refreshToken,
    );
    // The last moment: the verifier may have taken seconds, and the session before must not end for nothing.
    if (client.hasBegun?.()) throw new AuthError('unavailable', BEGUN);
    const tokenHash = hashToken(refreshToken);
    endings.noteReplaced(await options.store.create({ ...session, tokenHash, replaces }), session.createdAt);
    if (client.hasBegun?.()) {
      await endings.end(session.id, 'revoked');
      throw new AuthError('unavailable', BEGUN);
    }
    // A revokeAll that began before this check may have missed the session; a later one finds it.
    if (endings.massRevocations.hasHappenedSince(uid, begun)) {
      await endings.end(session.id, 'revoked_all');
      throw new AuthError('session_revoked', 'All sessions of the user were ended during the log-in');
    }
    // After the session is stored, so that of several log-ins at once the last sees all.
    if (!(await endings.endOldest(session))) {
      throw new AuthError('session_revoked', 'The new session was ended during the log-in');
    }
    return grant;
  }

  return {
    async withCredentials(credentials, given, progress) {
      objectOption('credentials', credentials);
      const { client, address } = readClient(given);
      const logins = options.loginsOf(credentials);
      progress.logins = logins;
      if (address === undefined) reportAddress(client.ip === undefined ? 'is not known' : 'cannot be read');
      const { deviceCookies } = given;
      const count = await countLogIn(options, { logins, isNamed: options.isNamed, address, deviceCookies });
      const begun = endings.massRevocations.point();
      const { uid, user } = await verify(options, { credentials, client, count, progress });
      return count.remember(await start(uid, user, client, begun));
    },

    async asUser(uid, given) {
      requireUid(uid);
      const { client } = readClient(given);
      const begun = endings.massRevocations.point();
      const user = await loadUser(uid);
      if (!user) throw new AuthError('invalid_credentials', 'The user is unknown or disabled');
      return await start(uid, user, client, begun);
    },
  };
}

interface UnverifiedLogIn {
  readonly credentials: Credentials;
  readonly client: SessionClient;
  readonly count: CountedLogIn;
  readonly progress: LoginProgress;
}

/** Verifies a log-in that is counted, and ends its count. */
async function verify(
  options: ResolvedSessionsOptions,
  { credentials, client: { ip, userAgent }, count, progress }: UnverifiedLogIn,
): Promise<{ readonly uid: string; readonly user: SessionUser }> {
  let against: CountedAgainst = 'nothing';
  let isVerifying = false;
  try {
    progress.decider = 'beforeLogin';
    await refuseUnverified(options, progress.logins, ip);
    progress.decider = 'verifier';
    isVerifying = true;
    const verified = await options.verifyCredentials(credentials, { ip, userAgent, mayTry: count.mayTry });
    if (verified) requireUid(verified.uid, 'The uid that verifyCredentials returns');
    isVerifying = false;
    const user = verified ? await options.loadUser(verified.uid) : undefined;
    if (!verified || !user) throw new AuthError('invalid_credentials', 'The credentials are not right');
    return { uid: verified.uid, user };
  } catch (error) {
    against = countedAgainst(error, progress, isVerifying);
    throw error;
  } finally {
    await count.end(against);
  }
}

function newSession(
  { instance, now }: ResolvedSessionsOptions,
  uid: string,
  client: SessionClient,
  ttlSeconds: number,
): Omit<NewSession, 'tokenHash' | 'replaces'> {
  const createdAt = now();
  const expiresAt = createdAt + ttlSeconds;
  return { id: generateId(), uid, instance, createdAt, expiresAt, ...storedClient(client) };
}

/** Normalises the address of a client. */
function readClient(given: ServedClient) {
  objectOption('client', given);
  const client = plainClient(given);
  const address = client.ip === undefined ? undefined : parseClientAddress(client.ip);
  return { address, client: { ...client, ip: address?.text ?? client.ip } };
}

/** Reports the first address that is missing, and the first that cannot be read. */
function addressReporter({ logger, throttle }: ResolvedSessionsOptions) {
  const reported = new Set<string>();
  return (problem: string) => {
    if (throttle === undefined || reported.has(problem)) return;
    reported.add(problem);
    logger.error({}, `The address of a client ${problem}: ${COUNTED_TOGETHER}`);
  };
}

/**
 * Tells what a failure counts against. A refusal of the verifier may answer a guess, unless it says
 * that there was nothing to verify. So may any other error that it throws, or its silence; they may
 * also be an outage, which must lock no account.
 */
function countedAgainst(error: unknown, { decider }: LoginProgress, isVerifying: boolean): CountedAgainst {
  if (isAuthError(error) && UNCOUNTED.has(error.code) && !isLateCall(error)) return 'nothing';
  if (!isAuthError(error) || error.status >= 500) return isVerifying ? 'address' : 'nothing';
  const isImpossible = error.code === 'login_invalid' || error.code === 'password_invalid';
  return decider === 'verifier' && !isImpossible ? 'account' : 'address';
}

/** Refuses a log-in before it is verified: if its login is impossible, or the host refuses it. */
async function refuseUnverified(
  { beforeLogin }: ResolvedSessionsOptions,
  logins: readonly unknown[],
  ip: string | undefined,
): Promise<void> {
  if (!logins.every(isPossibleLogin)) {
    throw new AuthError('login_invalid', 'The login is too long, or no visible text');
  }
  if (beforeLogin === undefined) return;
  const login = logins.length === 1 ? logins[0] : undefined;
  const decision = await beforeLogin({ login, logins, ip });
  const isRefusal = decision === false || (typeof decision === 'object' && decision !== null);
  if (!isRefusal) return;
  const retryAfterSeconds = waitOf(decision === false ? undefined : decision.retryAfterSeconds);
  throw new AuthError('rate_limited', 'The host refuses this log-in', { retryAfterSeconds });
}

/** Rounds to whole seconds, as RFC 9110 section 10.2.3 asks for. */
function waitOf(seconds: number | undefined): number {
  if (typeof seconds !== 'number' || !(seconds > 0)) return DEFAULT_WAIT_SECONDS;
  return Math.min(Math.ceil(seconds), MAX_WAIT_SECONDS);
}
