import { isUid } from '../claims.ts';
import { AuthError, isAuthError } from '../errors.ts';
import { generateId } from '../tokens/random-id.ts';
import { generateRefreshToken, hashToken } from '../tokens/refresh-token.ts';
import type { Credentials } from './credentials.ts';
import type { SessionEndings } from './session-endings.ts';
import { grantSession, type SessionGrant } from './session-grant.ts';
import type { ResolvedSessionsOptions, SessionClient, SessionUser } from './sessions-options.ts';

const MAX_USER_AGENT_LENGTH = 256;
const MAX_IP_LENGTH = 64;
const DEFAULT_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 86_400;

/** Where a log-in came from, and with which cookies. */
export interface LoginClient extends SessionClient {
  /** The refresh tokens that the client presents: their sessions are ended, since the new one takes their place. */
  readonly refreshTokens?: readonly string[] | undefined;
}

/** Makes sessions: for credentials, or for a user whom the host has identified by other means. */
export interface LogIn {
  withCredentials(credentials: Credentials, client: LoginClient): Promise<SessionGrant>;
  asUser(uid: string, client: LoginClient): Promise<SessionGrant>;
}

export function createLogIn(options: ResolvedSessionsOptions, endings: SessionEndings): LogIn {
  const { throttle, now, loadUser } = options;

  async function loadVerified(
    credentials: Credentials,
    client: SessionClient,
  ): Promise<[string, SessionUser]> {
    const { ip, userAgent } = client;
    await askHost(options, options.loginsOf(credentials)[0], ip);
    const verified = await options.verifyCredentials(credentials, { ip, userAgent });
    const user = verified ? await loadUser(verified.uid) : undefined;
    if (!verified || !user) throw new AuthError('invalid_credentials', 'The credentials are not right');
    return [verified.uid, user];
  }

  /**
   * Ends what the browser brought along before anything new is made: whoever planted a cookie in it (session
   * fixation) holds a session that is over, and a failure leaves no new session behind.
   */
  async function start(
    uid: string,
    user: SessionUser,
    client: LoginClient,
    begun: number,
  ): Promise<SessionGrant> {
    if (!isUid(uid)) throw new TypeError('The uid of a user must be a string of 1 to 128 characters');
    await endings.endPresented(client.refreshTokens ?? [], 'login');
    const { auth, store, instance } = options;
    const createdAt = now();
    const refreshToken = generateRefreshToken();
    const session = {
      id: generateId(),
      uid,
      instance,
      createdAt,
      expiresAt: createdAt + auth.options.refreshTokenTtlSeconds,
      userAgent: storableText(client.userAgent, MAX_USER_AGENT_LENGTH),
      ip: storableText(client.ip, MAX_IP_LENGTH),
    };
    // Scopes that no token can carry are found out before there is a session.
    const grant = await grantSession(options, { ...session, lastUsedAt: createdAt }, user, refreshToken);
    await store.create({ ...session, tokenHash: hashToken(refreshToken) });
    // A revokeAll that began before this look may have missed the session, one that begins after it finds it.
    if (endings.massRevocations.hasHappenedSince(uid, begun)) {
      await endings.end(session.id, 'revoked_all');
      throw new AuthError('invalid_credentials', 'All sessions of the user were ended during the log-in');
    }
    return grant;
  }

  return {
    async withCredentials(credentials, client) {
      const begun = endings.massRevocations.point();
      const logins = options.loginsOf(credentials);
      const takeBack = throttle?.admit({ logins, ip: client.ip }, now());
      const [uid, user] = await loadVerified(credentials, client).catch((error: unknown) => {
        if (!mayAnswerGuess(error)) takeBack?.();
        throw error;
      });
      takeBack?.();
      return await start(uid, user, client, begun);
    },

    async asUser(uid, client) {
      const begun = endings.massRevocations.point();
      const user = await loadUser(uid);
      if (!user) throw new AuthError('invalid_credentials', 'The user is unknown or disabled');
      return await start(uid, user, client, begun);
    },
  };
}

/** Where nothing was verified, nobody guessed; any other refusal may be how the host says that a secret is wrong. */
function mayAnswerGuess(error: unknown): boolean {
  if (!isAuthError(error) || error.status >= 500) return false;
  return error.code !== 'password_invalid' && error.code !== 'rate_limited';
}

async function askHost(
  { beforeLogin }: ResolvedSessionsOptions,
  login: string | undefined,
  ip: string | undefined,
): Promise<void> {
  if (beforeLogin === undefined) return;
  const decision = await beforeLogin({ login, ip });
  const isRefusal = decision === false || (typeof decision === 'object' && decision !== null);
  if (!isRefusal) return;
  const retryAfterSeconds = waitOf(decision === false ? undefined : decision.retryAfterSeconds);
  throw new AuthError('rate_limited', 'The host refuses this log-in', { retryAfterSeconds });
}

/** RFC 9110 section 10.2.3: whole seconds, whatever the host computed. */
function waitOf(seconds: number | undefined): number {
  if (typeof seconds !== 'number' || !(seconds > 0)) return DEFAULT_WAIT_SECONDS;
  return Math.min(Math.ceil(seconds), MAX_WAIT_SECONDS);
}

/** Text for a database: bounded, without control characters, which PostgreSQL (U+0000) and terminals mind. */
function storableText(text: string | undefined, maxLength: number): string {
  return (text ?? '').slice(0, maxLength).replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD');
}
