import { plainAddress } from '../../client-address.ts';
import { type AuthError, isAuthError } from '../../errors.ts';
import { problemFor } from '../../http/problem.ts';
import { MAX_LOGIN_LENGTH } from '../../text/login.ts';
import { BusyError } from '../../throttle/throttle-refusals.ts';
import { storedClient } from '../clients/stored-client.ts';
import type { LoginEvent } from '../events/session-events.ts';
import type { SessionGrant } from '../session-grant.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Credentials } from './credentials.ts';
import type { LogIn, LoginClient, LoginProgress } from './log-in.ts';

/** Log-ins, each reported to the host once it has succeeded or has been refused. */
export interface AuditedLogIn {
  withCredentials(credentials: Credentials, client: LoginClient): Promise<SessionGrant>;
  asUser: LogIn['asUser'];
}

/** What is known of a log-in before it begins. */
interface LoginOrigin {
  readonly method: LoginEvent['method'];
  readonly uid: string | undefined;
  readonly client: LoginClient;
}

/**
 * Reports the log-ins to `onLogin`, `onLoginFailed` and `onThrottled`. A failure of the host
 * refuses nobody, and goes to the logger alone.
 */
export function createAuditedLogIn(options: ResolvedSessionsOptions, logIn: LogIn): AuditedLogIn {
  const { hooks, logger, now } = options;

  async function audited(
    origin: LoginOrigin,
    progress: LoginProgress,
    login: Promise<SessionGrant>,
  ): Promise<SessionGrant> {
    try {
      const grant = await login;
      const { sessionId, uid, serverTime: loggedInAt } = grant;
      hooks.onLogin?.([{ method: origin.method, sessionId, uid, ...clientOf(origin), loggedInAt }]);
      return grant;
    } catch (error) {
      if (isAuthError(error)) tellRefused(error, origin, progress);
      throw error;
    }
  }

  function tellRefused(error: AuthError, origin: LoginOrigin, { logins, decider }: LoginProgress): void {
    const { code } = error;
    const isThrottled = code === 'rate_limited' || code === 'hashing_busy';
    if (!isThrottled && error.status >= 500) return;
    if ((isThrottled ? hooks.onThrottled : hooks.onLoginFailed) === undefined) return;
    try {
      const { method, uid } = origin;
      const facts = { method, logins: loginTexts(logins), uid, ...clientOf(origin) };
      const time = now();
      if (isThrottled) {
        const retryAfterSeconds = Number(problemFor(error).headers['retry-after']);
        const by = error instanceof BusyError ? 'throttle' : decider;
        hooks.onThrottled?.([{ ...facts, code, by, retryAfterSeconds, throttledAt: time }]);
      } else hooks.onLoginFailed?.([{ ...facts, code, failedAt: time }]);
    } catch (err) {
      // A clock that fails just now must not turn a refusal into another answer.
      logger.error({ err }, 'A refused log-in could not be reported');
    }
  }

  return {
    withCredentials(credentials, client) {
      const progress: LoginProgress = { logins: [], decider: 'throttle' };
      const origin = { method: 'credentials', uid: undefined, client } as const;
      return audited(origin, progress, logIn.withCredentials(credentials, client, progress));
    },

    asUser(uid, client) {
      const progress: LoginProgress = { logins: [], decider: 'verifier' };
      return audited({ method: 'loginAs', uid, client }, progress, logIn.asUser(uid, client));
    },
  };
}

function clientOf({ client: { ip, userAgent } }: LoginOrigin) {
  return storedClient({ ip: plainAddress(ip), userAgent });
}

/** A value that is not text names no account; where it came from may be any depth of JSON. */
function loginTexts(logins: readonly unknown[]): readonly string[] {
  return logins.filter((login) => typeof login === 'string').map((login) => login.slice(0, MAX_LOGIN_LENGTH));
}
