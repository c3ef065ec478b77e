import { objectOption } from '../../../toolkit/src/options.ts';
import { MAX_COOKIES_PER_NAME } from '../cookies/cookie-header.ts';
import { AuthError, ErrInvalidToken, ErrNoToken } from '../errors.ts';
import { generateId } from '../tokens/random-id.ts';
import { hashToken, isRefreshToken, requireTokens } from '../tokens/refresh-token.ts';
import type { ClientChanges } from './clients/client-changes.ts';
import type { SessionEndings } from './revocation/session-endings.ts';
import type { Session } from './session.ts';
import { grantSession, type SessionGrant } from './session-grant.ts';
import type { ResolvedSessionsOptions, SessionClient } from './sessions-options.ts';
import type { FoundToken, RefreshTokenUse } from './store/session-store.ts';

/**
 * How long a token works after its successor was first used. Tabs that polled at once have their
 * answers by then.
 */
const REUSE_GRACE_SECONDS = 30;
/**
 * How long after its rotation a token still gets an access token: two intervals of the browser
 * script, in which the tabs of a browser, and an answer that got lost, are made good. After that it
 * gets its successor alone. Who goes on with a copy must present the successor, and is noticed when
 * the owner presents the old token; who does not, gets nothing.
 */
const ROTATED_TOKEN_SECONDS = 120;
/**
 * The last use of a session is written at most this often, so that a poll that rotates nothing only
 * reads.
 */
const RECORD_USE_EVERY_SECONDS = 300;

/**
 * Answers a status poll: validates the refresh token, asks the host for the user again, issues an
 * access token.
 *
 * @throws ErrNoToken, ErrInvalidToken, AuthError `session_expired`, `session_revoked`: the client
 *   is logged out. `refresh_again`: it asks once more, with the error's cookies. Any other error
 *   says nothing about the session.
 */
export async function pollStatus(
  options: ResolvedSessionsOptions,
  endings: SessionEndings,
  clientChanges: ClientChanges,
  refreshTokens: readonly string[],
  client: SessionClient,
): Promise<SessionGrant> {
  requireTokens(refreshTokens);
  objectOption('client', client);
  const { successorTokens } = options.authParts;
  const token = await chooseToken(options, refreshTokens);
  const { keyId } = successorTokens;
  const use: RefreshTokenUse = {
    tokenHash: hashToken(token),
    instance: options.instance,
    now: options.now(),
    rotateEverySeconds: options.rotateEverySeconds,
    reuseGraceSeconds: REUSE_GRACE_SECONDS,
    recordUseEverySeconds: RECORD_USE_EVERY_SECONDS,
    salt: generateId(),
    keyId,
    nextId: generateId(),
    successorHash: (salt) => hashToken(successorTokens.derive(token, salt, keyId)),
  };
  const outcome = await options.store.useRefreshToken(use);
  switch (outcome.outcome) {
    case 'unknown':
      throw new ErrInvalidToken('The refresh token is unknown', 'unknown');
    case 'expired':
      throw new AuthError('session_expired', 'The session has expired');
    case 'revoked':
      endings.noteRevoked(outcome.session, outcome.revokedAt);
      throw revoked(outcome.isReplaced ? 'replaced' : 'revoked');
    case 'reused':
      endings.noteReuse(outcome.session, client);
      throw revoked('reused');
  }
  const { session } = outcome;
  // First, because without the key nothing may be written.
  const successor =
    outcome.outcome === 'rotated'
      ? successorTokens.derive(token, outcome.successorSalt, outcome.successorKeyId)
      : undefined;
  if (outcome.outcome === 'rotated' && use.now - outcome.rotatedAt >= ROTATED_TOKEN_SECONDS) {
    const maxAgeSeconds = session.expiresAt - use.now;
    const cookies = [options.auth.refreshTokenCookie(successor ?? '', { maxAgeSeconds })];
    throw new AuthError('refresh_again', 'The refresh token has been replaced', { cookies });
  }
  const user = await options.loadUser(session.uid);
  if (!user) await endings.end(session.id, 'user_disabled');
  else await clientChanges.note(session, client);
  if (!user || (await hasEndedMeanwhile(options, session, use))) {
    // The browser may have logged in again meanwhile: the store knows why the session has ended.
    const end = await options.store.useRefreshToken(use);
    if (end.outcome === 'revoked') endings.noteRevoked(end.session, end.revokedAt);
    throw revoked(end.outcome === 'revoked' && end.isReplaced ? 'replaced' : 'revoked');
  }
  return await grantSession(options, session, user, successor);
}

/**
 * Chooses the one refresh token that counts.
 *
 * A neighbouring host can plant cookies of our name beside our own. The token that the store knows
 * counts, and of one session's tokens the newest. Live tokens of two sessions are refused, because
 * nothing tells which is the user's.
 *
 * @throws ErrNoToken, ErrInvalidToken
 */
async function chooseToken(
  { store, instance, now }: ResolvedSessionsOptions,
  presented: readonly string[],
): Promise<string> {
  if (presented.length === 0) throw new ErrNoToken('The request carries no refresh token');
  if (presented.length > MAX_COOKIES_PER_NAME) {
    throw new ErrInvalidToken('The request carries too many refresh tokens', 'too_many');
  }
  const tokens = [...new Set(presented.filter(isRefreshToken))];
  const [first, ...others] = tokens;
  if (first === undefined) throw new ErrInvalidToken('The refresh token is malformed', 'malformed');
  if (others.length === 0) return first;
  const live: (FoundToken & { readonly token: string })[] = [];
  for (const token of tokens) {
    const found = await store.findByToken({ tokenHash: hashToken(token), instance, now: now() });
    if (found !== undefined) live.push({ ...found, token });
  }
  if (new Set(live.map(({ session }) => session.id)).size > 1) {
    throw new ErrInvalidToken('The request carries the refresh tokens of two sessions', 'ambiguous');
  }
  return (live.find(({ isRotated }) => !isRotated) ?? live[0])?.token ?? first;
}

/**
 * Tells whether the session has ended while the user was loaded, which may take 30 s, in this
 * process or in another. A token issued now would pass until it expires. The second look costs each
 * poll one read by the token's hash: the first one tells whose user to load.
 */
async function hasEndedMeanwhile(
  { auth, store }: ResolvedSessionsOptions,
  { id, uid }: Session,
  { tokenHash, instance, now }: RefreshTokenUse,
): Promise<boolean> {
  // An entry of a session holds for tokens of any time. The cut-off applies to tokens only: a live
  // session outlasts it.
  if (auth.revocations.isRevoked({ uid, sessionId: id, issuedAt: Number.POSITIVE_INFINITY })) return true;
  return (await store.findByToken({ tokenHash, instance, now })) === undefined;
}

function revoked(reason: 'revoked' | 'replaced' | 'reused'): AuthError {
  return new AuthError('session_revoked', 'The session has been ended', { reason });
}
