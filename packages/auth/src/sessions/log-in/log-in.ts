import { requireUid } from '../../claims.ts';
import { parseClientAddress } from '../../client-address.ts';
import { AuthError, isAuthError } from '../../errors.ts';
import type { Logger } from '../../logging/logger.ts';
import { requireObject } from '../../options/require-object.ts';
import { isPossibleLogin } from '../../text/login.ts';
import type { CountedAgainst } from '../../throttle/throttle.ts';
import { generateId } from '../../tokens/random-id.ts';
import { generateRefreshToken, hashToken } from '../../tokens/refresh-token.ts';
import { plainClient, storedClient } from '../clients/stored-client.ts';
import type { ThrottledEvent } from '../events/session-events.ts';
import { createDeviceLogIn } from '../known-devices/device-log-in.ts';
import type { VerifiedUser } from '../known-devices/known-devices-options.ts';
import { presentedHashes, type SessionEndings } from '../revocation/session-endings.ts';
import { grantSession, type SessionGrant } from '../session-grant.ts';
import type { ResolvedSessionsOptions, SessionClient, SessionUser } from '../sessions-options.ts';
import type { NewSession } from '../store/session-store.ts';
import type { Credentials } from './credentials.ts';
import { sessionTtlSeconds } from './remember-me.ts';

const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 86_400;
const UNREADABLE_ADDRESS =
  'The address of a client cannot be read: such clients are counted together. This is logged once; see clientAddress';

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
   * `true` makes a session of `rememberMe.ttlSeconds` instead of `refreshTokenTtlSeconds`. Default
   * `false`. A TypeError if it is not a boolean, or is `true` without the option `rememberMe`.
   */
  readonly rememberMe?: boolean | undefined;
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
    client: LoginClient,
    progress: LoginProgress,
  ): Promise<SessionGrant>;
  asUser(uid: string, client: LoginClient): Promise<SessionGrant>;
}

export function createLogIn(options: ResolvedSessionsOptions, endings: SessionEndings): LogIn {
  const { throttle, loadUser } = options;
  const readClient = clientReader(options.logger);

  /**
   * Creates a session in place of those of presented tokens, in one step: a failure leaves the user
   * with the session of before, and an attacker who planted a cookie (session fixation) has one
   * that is over.
   */
  async function start(
    uid: string,
    user: SessionUser,
    client: LoginClient,
    begun: number,
  ): Promise<SessionGrant> {
    requireUid(uid, 'The uid of a user');
    const { rememberMe, auth } = options;
    const ttlSeconds = sessionTtlSeconds(rememberMe, auth.options, client.rememberMe ?? false);
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
    const tokenHash = hashToken(refreshToken);
    endings.noteReplaced(await options.store.create({ ...session, tokenHash, replaces }), session.createdAt);
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
      requireObject('credentials', credentials);
      const { client, address } = readClient(given);
      const logins = options.loginsOf(credentials);
      progress.logins = logins;
      const device = createDeviceLogIn(options.knownDevices, logins, given.deviceCookies);
      const end = await throttle?.admit({ logins, address, findDevice: device?.find });
      const begun = endings.massRevocations.point();
      let verified: readonly [verified: VerifiedUser, user: SessionUser];
      try {
        progress.decider = 'beforeLogin';
        await refuseUnverified(options, logins, client.ip);
        progress.decider = 'verifier';
        verified = await verify(options, credentials, client);
      } catch (error) {
        await end?.(countedAgainst(error, progress.decider === 'verifier'));
        throw error;
      }
      await end?.('nothing');
      const [account, user] = verified;
      const grant = await start(account.uid, user, client, begun);
      return device?.remember(grant, account) ?? grant;
    },

    async asUser(uid, given) {
      const { client } = readClient(given);
      const begun = endings.massRevocations.point();
      const user = await loadUser(uid);
      if (!user) throw new AuthError('invalid_credentials', 'The user is unknown or disabled');
      return await start(uid, user, client, begun);
    },
  };
}

async function verify(
  { verifyCredentials, loadUser, knownDevices }: ResolvedSessionsOptions,
  credentials: Credentials,
  { ip, userAgent }: SessionClient,
): Promise<readonly [verified: VerifiedUser, user: SessionUser]> {
  const verified = await verifyCredentials(credentials, { ip, userAgent });
  const user = verified ? await loadUser(verified.uid) : undefined;
  // Before there is a session: what is refused after it leaves one that nobody has.
  if (verified) knownDevices?.assertUser(verified);
  if (!verified || !user) throw new AuthError('invalid_credentials', 'The credentials are not right');
  return [verified, user];
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

/** Normalises the address of a client, and reports the first address that cannot be read. */
function clientReader(logger: Logger) {
  let hasReported = false;
  return (given: LoginClient) => {
    requireObject('client', given);
    const client = plainClient(given);
    const address = client.ip === undefined ? undefined : parseClientAddress(client.ip);
    if (client.ip !== undefined && address === undefined && !hasReported) {
      hasReported = true;
      logger.error({}, UNREADABLE_ADDRESS);
    }
    return { address, client: { ...client, ip: address?.text ?? client.ip } };
  };
}

/**
 * Tells what a failure counts against: nothing, if a part of the host failed or is busy; the
 * address, if nothing was verified. Any other refusal of the verifier may answer a guess.
 */
function countedAgainst(error: unknown, isVerifying: boolean): CountedAgainst {
  if (!isAuthError(error) || error.status >= 500 || error.code === 'rate_limited') return 'nothing';
  const isImpossible = error.code === 'login_invalid' || error.code === 'password_invalid';
  return isVerifying && !isImpossible ? 'account' : 'address';
}

/** Refuses a log-in before it is verified: if its login is impossible, or the host refuses it. */
async function refuseUnverified(
  { beforeLogin }: ResolvedSessionsOptions,
  logins: readonly unknown[],
  ip: string | undefined,
): Promise<void> {
  if (!logins.every(isPossibleLogin))
    throw new AuthError('login_invalid', 'The login is too long, or no text');
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
