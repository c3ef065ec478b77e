import { parseClientAddress } from '../client-address.ts';
import { AuthError } from '../errors.ts';
import { redactedError } from '../redacted-error.ts';
import { readLogin } from '../sessions/credentials.ts';
import { createBackgroundWork } from './background-work.ts';
import {
  type ResolvedTokenRequestsOptions,
  resolveTokenRequestsOptions,
  type TokenRequestsOptions,
  type TokenUser,
} from './token-requests-options.ts';

/** Requests that wait to be worked on, about 1 kB each. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_SECONDS = 60;

/**
 * A later link would surprise its reader, and could outlive a password that was changed meanwhile.
 */
const MAX_WAIT_SECONDS = 60;

/** Requests for one-time tokens by people who are not logged in: "I forgot my password". */
export interface TokenRequests {
  /**
   * Takes a request, and resolves before anybody has looked for the user: neither the outcome nor
   * its time tells whether the account exists. Answer every request that resolves alike.
   *
   * Behind the answer, the user is looked for, and gets a token by `sendToken`. A request that is
   * under way when the process is killed is lost. One that has waited behind others for more than
   * 60 s is dropped, which the logger is told: the user asks again.
   *
   * @param login 1–256 characters, none of them a control or format character; whatever the client
   *   sent
   * @param client its address, for the throttle and for `sendToken`
   * @throws AuthError `login_invalid`; `rate_limited`, for unknown accounts as for known ones, and
   *   if 1,000 requests wait
   */
  request(login: unknown, client?: { readonly ip?: string | undefined }): Promise<void>;

  /**
   * Resolves when no request is waiting or under way. Await it before you close the database. Never
   * rejects.
   */
  idle(): Promise<void>;
}

/**
 * Creates the requests for tokens of one purpose.
 *
 * Requests are counted per account and per network, in the memory of this process, as failed
 * log-ins are: other spellings of a login count as one account.
 *
 * ```ts
 * const requests = createTokenRequests({
 *   tokens,
 *   purpose: 'password_reset',
 *   findUser: (login) => users.findByLogin(login),
 *   sendToken: ({ user, token }) => mailer.send(user.email, `${origin}/reset-password#${token}`),
 * });
 * ```
 *
 * @throws TypeError naming the option that is missing, unknown or out of bounds
 */
export function createTokenRequests<User extends TokenUser>(
  requestsOptions: TokenRequestsOptions<User>,
): TokenRequests {
  const options = resolveTokenRequestsOptions(requestsOptions);
  const { throttle, maxConcurrent, now } = options;
  const background = createBackgroundWork({ maxConcurrent, maxWaiting: MAX_WAITING });

  return Object.freeze<TokenRequests>({
    async request(given, { ip } = {}) {
      const login = readLogin(given);
      const address = ip === undefined ? undefined : parseClientAddress(ip);
      const count = await throttle.admit({ logins: [login], address });
      // Every request counts, whatever becomes of it.
      await count('account');
      const request = { login, ip, requestedAt: now() };
      if (background.add(() => fulfil(request, options))) return;
      throw new AuthError('rate_limited', 'Too many requests for tokens are waiting', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },

    idle: () => background.idle(),
  });
}

interface WaitingRequest {
  readonly login: string;
  readonly ip: string | undefined;
  /** Unix seconds. */
  readonly requestedAt: number;
}

/** Finds the user and sends a token, unless the request has waited too long. Never rejects. */
async function fulfil<User extends TokenUser>(
  { login, ip, requestedAt }: WaitingRequest,
  { tokens, purpose, ttlSeconds, findUser, sendToken, logger, now }: ResolvedTokenRequestsOptions<User>,
): Promise<void> {
  const secrets = [login];
  try {
    const waitedSeconds = now() - requestedAt;
    if (waitedSeconds > MAX_WAIT_SECONDS) {
      logger.error(
        { purpose, waitedSeconds },
        'A request for a one-time token was dropped, because it waited too long',
      );
      return;
    }
    const user = await findUser(login);
    if (!user) return;
    const issued = await tokens.issue({ uid: user.uid, purpose, ttlSeconds });
    // A mailer's error may quote the address and the link.
    secrets.push(issued.token, ...Object.values(user).filter((value) => typeof value === 'string'));
    await sendToken({ ...issued, user, ip });
  } catch (error) {
    logger.error(
      { err: redactedError(error, secrets), purpose },
      'A requested one-time token could not be sent',
    );
  }
}
