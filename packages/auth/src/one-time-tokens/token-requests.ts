import { createPacedReport } from '../../../toolkit/src/paced-report.ts';
import { parseClientAddress } from '../client-address.ts';
import { redactedError } from '../logging/redacted-error.ts';
import { readLogin } from '../text/login.ts';
import { countedName, uidOfNobody } from '../throttle/counted-name.ts';
import type { Admission } from '../throttle/throttle.ts';
import { createRequestQueue } from './request-queue.ts';
import {
  resolveTokenRequestsOptions,
  type TokenRequestsOptions,
  type TokenUser,
} from './token-requests-options.ts';

/**
 * A later link would surprise its reader, and could outlive a password that was changed meanwhile.
 */
const MAX_WAIT_SECONDS = 60;

/**
 * The uid of the tokens that are issued if there is no user, so that the store has as much to
 * do. Each replaces the one before, and is told to nobody.
 */
const NOBODY = '@acme/auth: no user';

const DROPPED =
  'Requests for one-time tokens were dropped: too many were waiting, or they waited for over 60 s';

/** Requests for one-time tokens by people who are not logged in: "I forgot my password". */
export interface TokenRequests {
  /**
   * Takes a request, and resolves before it looks up the user: neither the outcome nor its time
   * tells whether the account exists. Answer every request that resolves alike.
   *
   * The lookup begins after a random delay of up to a second, first come, first served. A known
   * account gets a token by `sendToken`. For an unknown one, a token is issued to nobody, so that
   * both keep the store equally busy. At most 1,000 requests wait, and one for an account, which
   * also answers those that join it. What finds no room, or has waited for more than 60 s, is
   * dropped; the client has the same answer, and the logger gets the number once a minute. A killed
   * process loses its requests.
   *
   * @param login 1–256 characters, none of them a control or format character; whatever the client
   *   sent
   * @param client its address, for the throttle and for `sendToken`
   * @throws AuthError `login_invalid`; `rate_limited`, for unknown accounts as for known ones
   */
  request(login: unknown, client?: { readonly ip?: string | null | undefined }): Promise<void>;

  /**
   * Resolves when no request is waiting or under way. Await it before you close the database. Never
   * rejects.
   */
  idle(): Promise<void>;
}

/**
 * Creates the requests for tokens of one purpose.
 *
 * Requests are counted per account and per network, in the memory of this process or in a store
 * that processes share, as failed log-ins are: other spellings of a login count as one account.
 *
 * ```ts
 * const requests = createTokenRequests({
 *   tokens,
 *   purpose: 'password_reset',
 *   findUser: (login) => users.findByLogin(login),
 *   sendToken: ({ user, token }) => mailer.send(user.email, `${origin}/reset-password#${token}`),
 * });
 * await requests.request(login, { ip }); // the same for unknown accounts
 * ```
 *
 * @throws TypeError naming the option that is missing, unknown or out of bounds
 */
export function createTokenRequests<User extends TokenUser>(
  options: TokenRequestsOptions<User>,
): TokenRequests {
  const { throttle, maxConcurrent, now, purpose, logger, ...host } = resolveTokenRequestsOptions(options);
  const queue = createRequestQueue(maxConcurrent);
  const dropped = createPacedReport((requests) => logger.error({ purpose, requests }, DROPPED));
  /** Names with a request that waits, by {@link countedName}. */
  const awaited = new Set<string>();

  /** Finds the user and sends a token, unless too many requests in other spellings led to the user. */
  async function fulfil(login: string, ip: string | undefined, admission: Admission, secrets: string[]) {
    const found = await host.findUser(login);
    // What is counted for nobody keeps a shared store as busy as an account does.
    const refusal = await admission.accountFound(found ? found.uid : uidOfNobody(login));
    const user = refusal === undefined ? found : undefined;
    await admission.end('account');
    const issued = await host.issue({ uid: user ? user.uid : NOBODY, purpose, ttlSeconds: host.ttlSeconds });
    if (!user) return;
    // A mailer's error may quote the address and the link.
    secrets.push(issued.token, ...Object.values(user).filter((value) => typeof value === 'string'));
    await host.sendToken({ ...issued, user, ip });
  }

  return Object.freeze<TokenRequests>({
    async request(given, client) {
      const login = readLogin(given);
      const ip = client?.ip ?? undefined;
      const name = countedName(login);
      const address = ip === undefined ? undefined : parseClientAddress(ip);
      const admission = await throttle.admit({ names: [name], address });
      // Every request counts, whatever becomes of it.
      await admission.end('account');
      // Only the last token of an account works: the request that waits will do for this one.
      if (awaited.has(name)) return;
      const requestedAt = now();
      const secrets = [login];
      const isQueued = queue.add(async () => {
        awaited.delete(name);
        try {
          if (now() - requestedAt > MAX_WAIT_SECONDS) dropped.note();
          else await fulfil(login, ip, admission, secrets);
        } catch (error) {
          const err = redactedError(error, secrets);
          logger.error({ err, purpose }, 'A requested one-time token could not be sent');
        }
      });
      // Known accounts are worked on for longer: a refusal would tell that others wait for one.
      if (isQueued) awaited.add(name);
      else dropped.note();
    },

    idle: () => queue.idle(),
  });
}
