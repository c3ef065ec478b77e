import type { HostTransaction } from '../host-transaction.ts';
import type { AuthHeaders, AuthRequest } from '../http/auth-request.ts';
import type { ConnectionInfo } from '../http/fetch-handler.ts';
import type { Credentials } from './log-in/credentials.ts';
import type { LoginClient } from './log-in/log-in.ts';
import type { UncommittedRevocation } from './revocation/end-all-sessions.ts';
import type { SessionGrant } from './session-grant.ts';
import type { SessionPage, SessionPageRequest } from './session-page.ts';
import type { SessionClient, SessionUser } from './sessions-options.ts';

/** An HTTP application in the terms of the Web; an adapter adds the details of the connection. */
export type SessionsHandler = (request: Request, connection?: ConnectionInfo) => Promise<Response>;

/** Counters of this process since the sessions were created. */
export type SessionStats = {
  /** Log-ins that created a session. */
  readonly loggedIn: number;
  /** Log-ins with wrong credentials, or of disabled users. */
  readonly loginsFailed: number;
  /** Log-ins that were refused unverified: `rate_limited`. */
  readonly loginsThrottled: number;
  /** Status polls that gave an access token. */
  readonly refreshed: number;
  /** Sessions that ended before their time. */
  readonly ended: number;
  /** Of these, sessions whose refresh token was presented again after its successor was in use. */
  readonly reuseDetected: number;
};

/** Where a status poll came from. */
export interface PollingClient extends SessionClient {
  /** The request, if there is one. A refusal is then reported with its method and path. */
  readonly request?: AuthRequest | undefined;
}

export interface RevokeAllOptions {
  /** A session that stays alive: the one in which the user changes the password. */
  readonly exceptSessionId?: string | undefined;
}

/**
 * The sessions of one instance: log-in, status, log-out, and the list of where a user is logged in.
 *
 * All methods are safe to call at once and from any number of processes over one store. If the
 * store fails, each that needs it rejects with the AuthError `unavailable`, whose `cause` is the
 * store's error; `revokeAll` in a transaction of the host's rejects with that error itself.
 */
export interface Sessions {
  /** `<cookiePath>/auth`: where the endpoints of {@link Sessions.handler} are. */
  readonly basePath: string;

  /**
   * Answers the endpoints, for any framework to mount:
   *
   * - `POST <basePath>/login`: credentials as a JSON object of at most 8 KiB; 200, 401, 422, 429,
   *   503
   * - `POST <basePath>/status`: 200 with a new access token; 401 `refresh_again` with the refresh
   *   cookie to ask with; or 401 and both cookies cleared, unless none or two sessions' came, or
   *   the browser has logged in again
   * - `POST <basePath>/logout`: 204, logged in or not; 503 if the session could not be ended
   * - `GET <basePath>/sessions?limit=&cursor=`: a page of the caller's live sessions, newest first;
   *   200, 422
   * - `DELETE <basePath>/sessions/{id}`: 204, or 404
   * - `DELETE <basePath>/sessions`: ends the caller's sessions but the one in use; 200
   *   `{ ended: <their number> }`
   *
   * With an access token that belongs to no session, the last three are 403 `session_required`.
   *
   * Any other request is 404 or 405. The handler never rejects: errors are problem details, a
   * failure of the host is 503.
   */
  readonly handler: SessionsHandler;

  /**
   * Tells whether the handler has an endpoint at a path, whatever the method; all below
   * `<basePath>/sessions/` counts, with an id that is none as well. `mountSessions`
   * leaves every other path to the host, such as that of a log-in of your own below `basePath`.
   */
  serves(pathname: string): boolean;

  /**
   * Verifies credentials and creates a session, which lasts `refreshTokenTtlSeconds` and no longer;
   * if `client.rememberMe` is true, `rememberMeTtlSeconds`.
   *
   * It ends the sessions of presented refresh tokens in the step that stores the new one: a log-in
   * never continues a session that the browser had, and a failure leaves that session alive. Then
   * it ends the user's oldest beyond `maxSessionsPerUser`. If several log-ins of a user are under
   * way, in any processes, at most that many sessions are live when all have been answered. A
   * process that is killed in between, or a store that fails there (logged), leaves one more until
   * the user's next log-in.
   *
   * @throws AuthError `invalid_credentials`, `login_invalid`, `rate_limited`, `token_too_large`;
   *   `session_revoked` when the new session was ended before the answer, by a log-in at the same
   *   time or a revocation; any error of `verifyCredentials`, `loadUser` or `beforeLogin`, unchanged
   */
  login(credentials: Credentials, client?: LoginClient): Promise<SessionGrant>;

  /**
   * Creates a session for a user whom the host has identified by other means: single sign-on, a
   * passkey, a mailed link.
   *
   * @throws AuthError `invalid_credentials` when `loadUser` returns nothing; `session_revoked` as
   *   for {@link Sessions.login}
   */
  loginAs(uid: string, client?: LoginClient): Promise<SessionGrant>;

  /**
   * Renews an access token by the refresh token that a client presents. It chooses among at most
   * four.
   *
   * @throws ErrNoToken, ErrInvalidToken, AuthError `session_expired`, `session_revoked`: log the
   *   client out. `refresh_again`: answer with the error's `cookies`, and it asks once more.
   *   `token_too_large`: no token until the user has fewer scopes; the session goes on. Any
   *   other error is a failure of the host and says nothing about the session.
   */
  status(refreshTokens: readonly string[], client?: PollingClient): Promise<SessionGrant>;

  /** The option of the same name: what a user may do now, for `createApiKeys({ sessions })`. */
  loadUser(uid: string): Promise<SessionUser | null | undefined>;

  /**
   * Ends the sessions of presented refresh tokens, at most four. Returns how many this call ended.
   */
  logout(refreshTokens: readonly string[]): Promise<number>;

  /**
   * Lists a user's live sessions page by page, newest first.
   *
   * A session that begins between two pages is not on the later one, and one that ends does not
   * move the others: none is listed twice or left out.
   *
   * @param page may be what a client sent, once its `limit` is a number
   * @throws AuthError `input_invalid` when the page is out of bounds
   */
  list(uid: string, page?: SessionPageRequest): Promise<SessionPage>;

  /** Ends one live session, only of the user if `uid` is given. Tells whether this call did. */
  revoke(sessionId: string, options?: { readonly uid?: string | undefined }): Promise<boolean>;

  /**
   * Forgets the failed log-ins under a name, so that the account's owner need not wait for the
   * window to end: in the memory of this process, and in the shared store for all. Failures of
   * addresses and those of known devices still count.
   *
   * A shared store also forgets the account's attempts under way, which may be those of a process
   * that was killed. If they fail, their failures count.
   *
   * @param login the name as the throttle counts it: what `loginOf` returns, or a user types
   * @param account its `uid`, to forget the failures under all names that have led to it as well
   * @returns whether there were failures to forget; `false` without a throttle
   * @throws TypeError when the login is not text of 1–256 characters; AuthError `unavailable`, when
   *   the shared store does not answer
   */
  unlock(login: string, account?: { readonly uid?: string | undefined }): Promise<boolean>;

  /**
   * Makes the browser of a request a known device of an account, without a log-in.
   *
   * Somebody who resets a forgotten password often uses a new browser, and an attacker may have
   * locked the account: call it once the new password is stored.
   *
   * ```ts
   * const cookie = await sessions.rememberDevice(user.login, { uid: user.uid });
   * if (cookie !== undefined) response.append('Set-Cookie', cookie);
   * ```
   *
   * The cookie is for `<cookiePath>/auth`: a route elsewhere may set it, but does not get it back.
   * Call it only for who has proved to be the owner, by the old password or a consumed one-time
   * token: the browser gets failures of its own to guess with.
   *
   * @param login the name by which the owner logs in: what `loginOf` returns, or a user types
   * @returns a `Set-Cookie` value; `undefined` without `knownDevices`
   * @throws TypeError when login or uid cannot be
   */
  rememberDevice(login: string, account: { readonly uid: string }): Promise<string | undefined>;

  /**
   * Returns the values of the cookies of known devices in a request's headers, for `deviceCookies`
   * of {@link Sessions.login}: for a log-in route of the host's own. The route lies below
   * `<cookiePath>/auth`, or browsers do not send the cookie.
   *
   * @returns at most five; none without `knownDevices`
   */
  readDeviceCookies(headers: AuthHeaders): readonly string[];

  /**
   * Ends all of a user's sessions in one step, and the access tokens that were issued to the user
   * without a session. Call it when a user is disabled, deleted, or has a new password.
   *
   * It refuses log-ins of the user that are under way in this process, so that none with the old
   * password outlives it. Called in `verifyCredentials`, it refuses that very log-in. A log-in
   * under way in another process may outlive it: with several processes, call it again after the
   * longest time that a log-in takes.
   *
   * @returns the ids of the sessions that this call ended
   */
  revokeAll(
    uid: string,
    options?: RevokeAllOptions & { readonly transaction?: undefined },
  ): Promise<readonly string[]>;

  /**
   * Ends all of a user's sessions in the host's transaction: together with the user's deletion, or
   * not at all.
   *
   * It only writes rows, on the transaction's own connection, and retries nothing. After an error,
   * the host may repeat the transaction from its start. Once it has committed, call `committed()`.
   * Without that call, access tokens work until they expire or the session is polled, and no hook
   * is called.
   *
   * ```ts
   * const revocation = await db.transaction().execute(async (transaction) => {
   *   await transaction.deleteFrom('users').where('id', '=', uid).execute();
   *   return await sessions.revokeAll(uid, { transaction });
   * });
   * await revocation.committed();
   * ```
   *
   * @throws TypeError when the store cannot take part in the transaction
   */
  revokeAll(
    uid: string,
    options: RevokeAllOptions & { readonly transaction: HostTransaction },
  ): Promise<UncommittedRevocation>;

  /**
   * Signs a user out everywhere else: ends all sessions but the one in use, if none of them is
   * newer. If there was one to end, access tokens without a session are refused, too. Log-ins under
   * way go on.
   *
   * ```ts
   * const { uid, sessionId } = claimsOf(req);
   * await sessions.revokeOthers(uid, sessionId);
   * ```
   *
   * @returns the ids of the sessions that this call ended
   * @throws AuthError `session_required` when `sessionId` is undefined or empty: the claims come
   *   from an API key, or from a token without a session. `revokeAll` would end every session.
   *   `login_required` when another session is newer; `session_revoked` when the one in use is over
   */
  revokeOthers(uid: string, sessionId: string | undefined): Promise<readonly string[]>;

  /**
   * Removes from the store, of all instances, the sessions that have expired and those that were
   * revoked two days ago or earlier: in batches, at most a million tokens a call.
   */
  purgeSessions(): Promise<number>;

  /**
   * Loads revocation entries for the sessions that were ended within the life of an access token,
   * so that a restart forgets none. Tokens without a session are in no store: those that
   * `revokeAll` refuses pass again after a restart.
   *
   * Await it before the first request. If the host has not called it, the handler does.
   *
   * @returns the number of sessions
   */
  start(): Promise<number>;

  stats(): SessionStats;

  /**
   * Resolves when the hooks of the sessions and of their instance have been called with every event
   * and have settled, or used up their time. Never rejects. Await it before the process ends, once
   * no more requests are served, and before you close what the hooks write to.
   */
  idle(): Promise<void>;
}
