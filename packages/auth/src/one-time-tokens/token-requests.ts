import { createPacedReport, type PacedReport } from '../../../toolkit/src/paced-report.ts';
import { type ClientAddress, parseClientAddress } from '../client-address.ts';
import { redactedError } from '../logging/redacted-error.ts';
import { readLogin } from '../text/login.ts';
import { countedName, uidOfNobody } from '../throttle/counted-name.ts';
import type { Admission } from '../throttle/throttle.ts';
import { createBackgroundWork, type WorkSource } from './background-work.ts';
import {
  type ResolvedTokenRequestsOptions,
  resolveTokenRequestsOptions,
  type TokenRequestsOptions,
  type TokenUser,
} from './token-requests-options.ts';

/** Requests that wait to be worked on, about 1 kB each. */
const MAX_WAITING = 1_000;
/** Of them, those from one IPv4 address or IPv6 /48. */
const MAX_WAITING_PER_NETWORK = 100;
/** Clients whose address is unknown leave room for those whose address is known. */
const MAX_WAITING_WITHOUT_ADDRESS = 900;

/**
 * A later link would surprise its reader, and could outlive a password that was changed meanwhile.
 */
const MAX_WAIT_SECONDS = 60;

/**
 * The random delay before a request is worked on. Work that blocks the event loop, such as making a
 * mail, slows down other answers, and the delay hides which ones.
 */
const MAX_DELAY_MS = 1_000;

/**
 * The uid of the tokens that are issued if there is no user, so that the store has as much to
 * do. Each replaces the one before, and is told to nobody.
 */
const NOBODY = '@acme/auth: no user';

const TOO_MANY_WAIT = 'Requests for one-time tokens were dropped, because too many were waiting';
const WAITED_TOO_LONG = 'Requests for one-time tokens were dropped, because they waited for more than 60 s';

/** Requests for one-time tokens by people who are not logged in: "I forgot my password". */
export interface TokenRequests {
  /**
   * Takes a request, and resolves before it looks up the user: neither the outcome nor its time
   * tells whether the account exists. Answer every request that resolves alike.
   *
   * The lookup begins after a random delay of up to a second, and after requests that wait before
   * it. A known account gets a token by `sendToken`. For an unknown one, a token is issued to
   * nobody, so that both keep the store equally busy. A request that is under way when the process
   * is killed is lost. One that has waited behind others for more than 60 s is dropped: the user
   * asks again.
   *
   * Networks take turns: many requests from one delay those from another by one request. At most
   * 100 from one IPv4 address or IPv6 /48 wait, 1,000 in all, and one for an account, which also
   * answers those that join it. The logger gets the number of requests that were dropped, once a
   * minute; the client gets the same answer, which tells nothing of what others wait for.
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
 * ```
 *
 * @throws TypeError naming the option that is missing, unknown or out of bounds
 */
export function createTokenRequests<User extends TokenUser>(
  requestsOptions: TokenRequestsOptions<User>,
): TokenRequests {
  const options = resolveTokenRequestsOptions(requestsOptions);
  const { throttle, maxConcurrent, now, purpose, logger } = options;
  const background = createBackgroundWork({
    maxConcurrent,
    maxWaiting: MAX_WAITING,
    maxDelayMs: MAX_DELAY_MS,
  });
  const crowdedOut = createPacedReport((requests) => logger.error({ purpose, requests }, TOO_MANY_WAIT));
  const dropped = createPacedReport((requests) => logger.error({ purpose, requests }, WAITED_TOO_LONG));

  /** Names with a request that waits, by {@link countedName}. */
  const awaited = new Set<string>();

  return Object.freeze<TokenRequests>({
    async request(given, client) {
      const login = readLogin(given);
      const ip = client?.ip ?? undefined;
      const address = ip === undefined ? undefined : parseClientAddress(ip);
      const name = countedName(login);
      const admission = await throttle.admit({ names: [name], address });
      // Every request counts, whatever becomes of it.
      await admission.end('account');
      // Only the last token of an account works: the request that waits will do for this one.
      if (awaited.has(name)) return;
      const requestedAt = now();
      const work = async () => {
        awaited.delete(name);
        await fulfil({ login, ip, requestedAt, admission }, options, dropped);
      };
      // Known accounts are worked on for longer: a refusal would tell that others wait for one.
      if (background.add(work, sourceOf(address))) awaited.add(name);
      else crowdedOut.note();
    },

    idle: () => background.idle(),
  });
}

/** What a request takes turns by, and how many of its kind may wait. */
function sourceOf(address: ClientAddress | undefined): WorkSource {
  const network = address?.networks.at(-1);
  return network === undefined
    ? { key: 'no address', maxWaiting: MAX_WAITING_WITHOUT_ADDRESS }
    : { key: `network ${network}`, maxWaiting: MAX_WAITING_PER_NETWORK };
}

interface AdmittedRequest {
  readonly login: string;
  readonly ip: string | undefined;
  readonly requestedAt: number;
  readonly admission: Admission;
}

/**
 * Finds the user and sends a token, unless the request has waited too long, or too many requests in
 * other spellings have led to the user. Never rejects.
 */
async function fulfil<User extends TokenUser>(
  { login, ip, requestedAt, admission }: AdmittedRequest,
  { issue, purpose, ttlSeconds, findUser, sendToken, now, logger }: ResolvedTokenRequestsOptions<User>,
  dropped: PacedReport,
): Promise<void> {
  const secrets = [login];
  try {
    if (now() - requestedAt > MAX_WAIT_SECONDS) {
      dropped.note();
      return;
    }
    const found = await findUser(login);
    // What is counted for nobody keeps a shared store as busy as an account does.
    const refusal = await admission.accountFound(found ? found.uid : uidOfNobody(login));
    const user = refusal === undefined ? found : undefined;
    await admission.end('account');
    const issued = await issue({ uid: user ? user.uid : NOBODY, purpose, ttlSeconds });
    if (!user) return;
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
