import { randomInt } from 'node:crypto';
import { createPacedReport } from '../../../toolkit/src/paced-report.ts';
import { parseClientAddress } from '../client-address.ts';
import { redactedError } from '../logging/redacted-error.ts';
import { readLogin } from '../text/login.ts';
import { countedName, uidOfNobody } from '../throttle/counted-name.ts';
import type { Admission } from '../throttle/throttle.ts';
import {
  resolveTokenRequestsOptions,
  type TokenRequestsOptions,
  type TokenUser,
} from './token-requests-options.ts';

/** Requests that wait to be worked on, about 1 kB each. */
const MAX_WAITING = 1_000;
/** A later link would surprise its reader, and could outlive a password that was changed meanwhile. */
const MAX_WAIT_SECONDS = 60;
/**
 * The random delay before a request is worked on. Work that blocks the event loop, such as making a
 * mail, slows down other answers, and the delay hides which ones.
 */
const MAX_DELAY_MS = 1_000;
/**
 * The uid of the tokens that are issued if there is no user, so that the store has as much to do.
 * Each replaces the one before, and is told to nobody.
 */
const NOBODY = '@acme/auth: no user';

/** Requests for one-time tokens by people who are not logged in: "I forgot my password". */
export interface TokenRequests {
  /**
   * Takes a request, and resolves before it looks up the user: neither the outcome nor its time
   * tells whether the account exists. Answer every request that resolves alike.
   *
   * The lookup begins after a random delay of up to a second, first come, first served. A known
   * account gets a token by `sendToken`; for an unknown one, a token is issued to nobody. At most
   * 1,000 requests wait, for 60 s, and one for an account, which also answers those that join it.
   * Others are dropped with the same answer; the logger gets their number once a minute. A killed
   * process loses its requests.
   *
   * @param login 1–256 characters, none of them a control or format character; whatever the client
   *   sent
   * @param client its address, for the throttle and for `sendToken`
   * @throws AuthError `login_invalid`; `rate_limited`, for unknown accounts as for known ones
   */
  request(login: unknown, client?: { readonly ip?: string | null | undefined }): Promise<void>;

  /** Resolves when no request is left: await it before you close the database. Never rejects. */
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
  const dropped = createPacedReport((requests) =>
    logger.error(
      { purpose, requests },
      'Requests for one-time tokens were dropped: too many were waiting, or they waited for over 60 s',
    ),
  );
  /** Those whose work has not begun, by {@link countedName}. */
  const waiting = new Set<string>();
  /** Begin the work of those whose delay is over, first come, first served. */
  const ready: (() => void)[] = [];
  /** Those that wait and those under way. */
  const taken = new Set<Promise<void>>();
  let running = 0;

  async function workOn(name: string, work: () => Promise<void>, secrets: readonly string[]): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve, randomInt(MAX_DELAY_MS + 1)));
    if (running < maxConcurrent) running += 1;
    else await new Promise<void>((resolve) => ready.push(resolve));
    waiting.delete(name);
    await work().catch((error: unknown) => {
      const err = redactedError(error, secrets);
      logger.error({ err, purpose }, 'A requested one-time token could not be sent');
    });
    const next = ready.shift();
    // The next one gets this one's place.
    if (next === undefined) running -= 1;
    else next();
  }

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
      if (waiting.has(name)) return;
      // Known accounts are worked on for longer: a refusal would tell that others wait for one.
      if (waiting.size >= MAX_WAITING) return dropped.note();
      const latest = now() + MAX_WAIT_SECONDS;
      const secrets = [login];
      const work = async () => (now() > latest ? dropped.note() : fulfil(login, ip, admission, secrets));
      waiting.add(name);
      const done = workOn(name, work, secrets).then(() => void taken.delete(done));
      taken.add(done);
    },

    async idle() {
      while (taken.size > 0) await Promise.all(taken);
    },
  });
}
