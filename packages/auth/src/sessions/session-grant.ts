import { AuthError } from '../errors.ts';
import type { Session } from './session.ts';
import type { ResolvedSessionsOptions, SessionUser } from './sessions-options.ts';

/** The result of a log-in or a status poll for the client. */
export interface SessionGrant {
  readonly sessionId: string;
  readonly uid: string;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  /** A new refresh token: at a log-in, and after a status poll that rotated. */
  readonly refreshToken: string | undefined;
  /** When the access token expires, never after the session. Unix seconds. */
  readonly expiresAt: number;
  /** Unix seconds. */
  readonly serverTime: number;
  /** `Set-Cookie` values for the tokens. */
  readonly cookies: readonly string[];
}

/** Issuing takes microseconds. If the clock ticks in every attempt, something is broken. */
const MAX_ATTEMPTS = 5;

/**
 * Issues an access token that does not outlive its session, and writes the cookies.
 *
 * @throws AuthError `session_expired` when nothing is left of the session
 */
export async function grantSession(
  { auth, now }: ResolvedSessionsOptions,
  session: Session,
  user: SessionUser,
  refreshToken: string | undefined,
): Promise<SessionGrant> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const serverTime = now();
    const leftSeconds = session.expiresAt - serverTime;
    if (leftSeconds < 1) throw new AuthError('session_expired', 'The session has expired');
    const ttlSeconds = Math.min(auth.options.accessTokenTtlSeconds, leftSeconds);
    const { id: sessionId, uid } = session;
    // The clock of the process that created the session may run ahead of ours.
    const authTime = Math.min(session.createdAt, serverTime);
    const issueOptions = { sessionId, authTime, ttlSeconds };
    const accessToken = await auth.issueAccessToken(uid, user.scopes, issueOptions);
    // Issued in the next second, the token would outlive the lifetime computed in this one.
    if (now() !== serverTime) continue;
    const cookies = [auth.accessTokenCookie(accessToken, { maxAgeSeconds: ttlSeconds })];
    if (refreshToken !== undefined) {
      cookies.push(auth.refreshTokenCookie(refreshToken, { maxAgeSeconds: leftSeconds }));
    }
    const expiresAt = serverTime + ttlSeconds;
    const scopes = Object.freeze([...user.scopes]);
    return { sessionId, uid, scopes, accessToken, refreshToken, expiresAt, serverTime, cookies };
  }
  throw new Error('The clock ticked in every attempt to issue an access token');
}
