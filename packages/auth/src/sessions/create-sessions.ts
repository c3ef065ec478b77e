import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { isSessionId, requireUid } from '../claims.ts';
import { authenticationPath } from '../cookies/cookie-settings.ts';
import { AuthError, isAuthError } from '../errors.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { requireLogin } from '../text/login.ts';
import { countedName } from '../throttle/counted-name.ts';
import { createClientChanges } from './clients/client-changes.ts';
import { createSessionEndpoints } from './endpoints/session-endpoints.ts';
import { presentedDevices } from './endpoints/session-request.ts';
import { createAuditedLogIn } from './log-in/audited-log-in.ts';
import { createLogIn } from './log-in/log-in.ts';
import type { UncommittedRevocation } from './revocation/end-all-sessions.ts';
import { createSessionEndings, type SessionEndings } from './revocation/session-endings.ts';
import type { SessionGrant } from './session-grant.ts';
import { listSessionPage } from './session-page.ts';
import type { RevokeAllOptions, Sessions } from './sessions.ts';
import {
  type ResolvedSessionsOptions,
  resolveSessionsOptions,
  type SessionsOptions,
} from './sessions-options.ts';
import { pollStatus } from './status-poll.ts';
import { purgeStore } from './store/purge-in-groups.ts';

const ACCOUNT_OPTIONS: ReadonlySet<string> = new Set(['uid']);
const REVOKE_ALL_OPTIONS: ReadonlySet<string> = new Set(['exceptSessionId', 'transaction']);
/**
 * How long after its end a revoked session stays: two days. A purge is for all instances, and an
 * access token of any of them passes for a day and two minutes at most, so that `start` misses no
 * revocation. Until then somebody can look up why a user was logged out.
 */
const KEEP_REVOKED_SECONDS = 172_800;

/**
 * Creates the sessions of an instance.
 *
 * ```ts
 * const sessions = createSessions({
 *   auth,
 *   store: memorySessionStore(),
 *   verifyCredentials: passwordCredentials({
 *     findUser: (login) => users.findByLogin(login),
 *     iterations: 600_000,
 *   }),
 *   loadUser: (uid) => users.findActive(uid),
 * });
 * ```
 *
 * @typeParam Scope the scopes that the instance knows: what `loadUser` may give
 * @throws TypeError naming the first option that is missing, unknown or out of bounds
 */
export function createSessions<Scope extends string = string>(
  sessionsOptions: SessionsOptions<Scope>,
): Sessions {
  const options = resolveSessionsOptions(sessionsOptions);
  const endings = createSessionEndings(options);
  const clientChanges = createClientChanges(options);
  const logIn = createAuditedLogIn(options, createLogIn(options, endings));
  const counters = { loggedIn: 0, loginsFailed: 0, loginsThrottled: 0, refreshed: 0 };

  async function countLogin(login: Promise<SessionGrant>): Promise<SessionGrant> {
    try {
      const grant = await login;
      counters.loggedIn += 1;
      return grant;
    } catch (error) {
      if (isAuthError(error, 'invalid_credentials')) counters.loginsFailed += 1;
      if (isAuthError(error, 'rate_limited')) counters.loginsThrottled += 1;
      throw error;
    }
  }

  function revokeAll(uid: string, options?: RevokeAllOptions): Promise<readonly string[]>;
  function revokeAll(
    uid: string,
    options: RevokeAllOptions & { readonly transaction: HostTransaction },
  ): Promise<UncommittedRevocation>;
  async function revokeAll(
    uid: string,
    revokeOptions: RevokeAllOptions & { readonly transaction?: HostTransaction } = {},
  ): Promise<readonly string[] | UncommittedRevocation> {
    refuseUnknownOptions('revokeAll', revokeOptions, REVOKE_ALL_OPTIONS);
    requireUid(uid);
    const { exceptSessionId, transaction } = revokeOptions;
    return transaction === undefined
      ? await endings.endAll(uid, exceptSessionId)
      : await endings.endAllWithin(transaction, uid, exceptSessionId);
  }

  const operations: Omit<Sessions, 'handler' | 'serves'> = {
    basePath: authenticationPath(options.auth.options.cookiePath),
    login: (credentials, client = {}) => countLogin(logIn.withCredentials(credentials, client)),
    loginAs: (uid, client = {}) => countLogin(logIn.asUser(uid, client)),

    async status(refreshTokens, client = {}) {
      try {
        const grant = await pollStatus(options, endings, clientChanges, refreshTokens, client);
        counters.refreshed += 1;
        return grant;
      } catch (error) {
        options.authParts.refusals.tokenRefused({ kind: 'refresh_token', error, ...client });
        throw error;
      }
    },

    loadUser: (uid) => options.loadUser(uid),
    logout: (refreshTokens) => endings.endPresented(refreshTokens, 'logout'),
    list: (uid, page = {}) => listSessionPage(options, uid, page),

    async revoke(sessionId, revokeOptions = {}) {
      refuseUnknownOptions('revoke', revokeOptions, ACCOUNT_OPTIONS);
      const { uid } = revokeOptions;
      if (uid !== undefined) requireUid(uid);
      // A request may bring anything.
      return isSessionId(sessionId) && (await endings.end(sessionId, 'revoked', { uid }));
    },

    ...lockOperations(options),
    revokeAll,

    revokeOthers: (uid, sessionId) => endOthers(endings, uid, sessionId),

    purgeSessions: async () => await purge(options),
    start: onceUntilItFails(() => endings.loadRecent()),
    stats: () => ({ ...counters, ended: endings.ended, reuseDetected: endings.reuseDetected }),

    async idle() {
      await options.hooks.idle();
      await options.auth.idle();
    },
  };
  return Object.freeze<Sessions>({ ...operations, ...createSessionEndpoints(options, endings, operations) });
}

async function endOthers(
  endings: SessionEndings,
  uid: string,
  sessionId: string | undefined,
): Promise<readonly string[]> {
  requireUid(uid);
  if (isSessionId(sessionId)) return await endings.endOthers(uid, sessionId);
  throw new AuthError('session_required', 'There are no other sessions without one in use');
}

/** What keeps an account open for its owner. */
function lockOperations(
  options: ResolvedSessionsOptions,
): Pick<Sessions, 'unlock' | 'rememberDevice' | 'readDeviceCookies'> {
  return {
    async unlock(login, account = {}) {
      requireLogin('unlock', login);
      refuseUnknownOptions('unlock', account, ACCOUNT_OPTIONS);
      if (account.uid !== undefined) requireUid(account.uid);
      return (await options.throttle?.unlock(countedName(login), account.uid)) === true;
    },

    async rememberDevice(login, account) {
      requireLogin('rememberDevice', login);
      refuseUnknownOptions('rememberDevice', account, ACCOUNT_OPTIONS);
      requireUid(account.uid);
      return options.knownDevices?.remember(countedName(login), account.uid, undefined);
    },

    readDeviceCookies: (headers) => presentedDevices(options, { headers }),
  };
}

function purge({ store, now }: ResolvedSessionsOptions): Promise<number> {
  const expiredBefore = now();
  const revokedBefore = expiredBefore - KEEP_REVOKED_SECONDS;
  return purgeStore((limit) => store.purge({ expiredBefore, revokedBefore, limit }));
}

/** Runs work once for all callers; after a failure the next caller runs it again. */
function onceUntilItFails<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
