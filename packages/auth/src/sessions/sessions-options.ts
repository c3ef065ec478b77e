import type { Auth } from '../auth.ts';
import { plainAddress } from '../client-address.ts';
import { type Clock, resolveClock, unixSeconds } from '../clock.ts';
import type { ConnectionInfo } from '../http/fetch-handler.ts';
import { integerOption } from '../integer-option.ts';
import { type Logger, resolveLogger } from '../logger.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';
import { type Credentials, loginReader } from './credentials.ts';
import {
  createLoginThrottle,
  type LoginThrottle,
  type LoginThrottleOptions,
} from './login-throttle/login-throttle.ts';
import type { RefreshClient, RevokeReason, SessionStore } from './session-store.ts';

/** A user, as far as a session needs one. */
export interface SessionUser<Scope extends string = string> {
  /** What the user may do now: the scopes of the next access token. */
  readonly scopes: readonly Scope[];
}

/** Where a session is used from, as far as the host knows. */
export interface SessionClient {
  /** The client's address. Listed with the session, and counted by the log-in throttle. */
  readonly ip?: string | undefined;
  /** The browser, in its own words. Listed with the session. */
  readonly userAgent?: string | undefined;
}

/**
 * Tells who the credentials belong to: a user, disabled or not, or nobody.
 *
 * An `AuthError` that it throws is answered as such, anything else 503. Where it gives nobody, that counts as a failure of
 * the account and of the address, and so does any error that may be the answer to a guess. `login_invalid` and
 * `password_invalid` say that there was nothing to verify, and count against the address alone; `rate_limited` and what
 * is answered 5xx count as nothing: throw these for no wrong secret.
 */
export interface VerifyCredentials {
  (credentials: Credentials, client: SessionClient): Promise<{ readonly uid: string } | null | undefined>;
  /**
   * The one member of the credentials that is read as the account's name, for the log-in throttle and `beforeLogin`.
   * What `passwordCredentials` makes has it; a verifier of your own that wraps it hands it on, or says `loginOf`.
   */
  readonly loginMember?: string | undefined;
}

export interface SessionRevokedEvent {
  readonly sessionId: string;
  readonly uid: string;
  readonly reason: RevokeReason;
  /** Unix seconds. */
  readonly revokedAt: number;
}

/** Somebody presented a refresh token whose successor is in use: one of the two is not the user. */
export interface ReuseDetectedEvent extends SessionClient {
  readonly sessionId: string;
  readonly uid: string;
  /** Unix seconds. */
  readonly detectedAt: number;
}

/**
 * Several clients refresh one session: somebody has a copy of its refresh token and keeps up with the rotation, or its
 * user changes between networks, or browsers that share their cookies.
 */
export interface SessionAnomalyEvent {
  /**
   * `alternating_clients`: one has come back after another took its place. `changing_clients`: this is the fifth in a short
   * time, none of which has come back.
   */
  readonly kind: 'alternating_clients' | 'changing_clients';
  readonly sessionId: string;
  readonly uid: string;
  /** Unix seconds. */
  readonly detectedAt: number;
  /** Of the client that has come back, or is new, as it is listed. */
  readonly ip: string;
  readonly userAgent: string;
  /** As in the list of sessions; this client is the first. */
  readonly refreshedFrom: readonly RefreshClient[];
}

/** A log-in that is about to be verified. */
export interface LoginAttemptEvent {
  /** The one name of the account that the credentials hold; `undefined` when they hold none, or several. */
  readonly login: string | undefined;
  /**
   * Every text that the throttle counts the log-in by: what `loginOf` answers, or the `loginMember` of the verifier, or
   * what `login`, `username` and `email` hold. A limiter of your own counts each of them: the client chooses the others.
   * Each has at most 256 characters, spelt as the client sent it.
   */
  readonly logins: readonly string[];
  /** The client's address, without a port; text that is no address as it came. */
  readonly ip: string | undefined;
}

/** Options of `createSessions`. */
export interface SessionsOptions<Scope extends string = string> {
  /** The instance whose tokens and cookies the sessions use. Its audience, or cookie path, tells them from others'. */
  readonly auth: Auth<Scope>;
  readonly store: SessionStore;
  /**
   * Gives the user and the scopes it has now; nothing for one that is gone or disabled. Called at every log-in and
   * status poll, so that what an administrator changes takes effect within a poll.
   *
   * What it throws is answered 503: the session stays as it is.
   */
  loadUser(uid: string): Promise<SessionUser<NoInfer<Scope>> | null | undefined>;
  /** Tells who the credentials belong to; `passwordCredentials` is the usual one. */
  readonly verifyCredentials: VerifyCredentials;
  /**
   * The age at which a refresh token gets a successor, counted from its first use. 1–86,400 s, default 900.
   *
   * A token that was replaced works for 30 s after its successor was first used. Below 60 s, answers that overtake
   * each other on a slow network may log a user out.
   */
  readonly rotateEverySeconds?: number | undefined;
  /** Bounds failed log-ins in the memory of this process; `false` leaves that to `beforeLogin`. */
  readonly loginThrottle?: LoginThrottleOptions | false | undefined;
  /**
   * The account's name in the credentials, at most 256 characters, which log-ins are counted by. Default: the `loginMember` of
   * `passwordCredentials`; for another verifier what `login`, `username` and `email` hold, each counted. Log-ins that
   * name no account (`undefined`) are counted together. What is no text is refused with `login_invalid`, since a look-up
   * may find an account by it: where names are numbers, give their text. A promise is a TypeError at the log-in.
   *
   * Case, white space, accents, invisible characters and Unicode forms make no difference by themselves. Where your
   * look-up is looser still (dots or tags of e-mail addresses, sounds, telephone numbers in any notation, a loose
   * collation of names beyond ASCII), give here the one text that it looks for: otherwise each spelling has
   * failures of its own.
   */
  loginOf?(credentials: Credentials): string | undefined;
  /**
   * The client's address. Default: the one that the adapter hands over. Behind a proxy that is the proxy's, whom all
   * clients share, unless the framework was told to trust it: then read here the header that your proxy sets.
   * `X-Forwarded-For` is never read by default, since a client can send it too. A port is cut off. Clients without an
   * address (`null`, `undefined`), or with text that is none (logged once), are counted together, under a bound a hundred
   * times as high. Anything but text is a TypeError, which answers 503.
   */
  clientAddress?(request: Request, connection: ConnectionInfo): string | null | undefined;
  /**
   * Asked before credentials are verified; `false` (60 s), or a wait of 1–86,400 s, refuses the log-in with 429. An `AuthError`
   * that it throws is answered as such, and counts against the address where its status is below 500; anything else is 503.
   */
  beforeLogin?(attempt: LoginAttemptEvent): LoginDecision | Promise<LoginDecision>;
  /**
   * Told of every session that this process revokes, of 16 at once at most. Awaited for 5 s at most: a failure, or a
   * longer silence, is reported to the logger and changes nothing.
   */
  onSessionRevoked?(event: SessionRevokedEvent): unknown;
  /** Told when a refresh token is reused, before `onSessionRevoked`. Awaited in the same way. */
  onReuseDetected?(event: ReuseDetectedEvent): unknown;
  /**
   * Told when a client refreshes a session again, within `rotateEverySeconds` and 600 s after another one took its
   * place, or when it is the fifth change of the client in that time: at most once a minute for a session. Nothing is
   * ended: revoke the session here, or ask its user. Awaited in the same way, before the poll is answered.
   *
   * Clients differ by their user agent, or their address (IPv6: its /64); what is not known differs from what is. A thief
   * who has the user's address and sends the user's user agent is not told from the user.
   */
  onSessionAnomaly?(event: SessionAnomalyEvent): unknown;
  /** Default: the instance's. */
  readonly clock?: Clock | undefined;
  /** Default: the instance's. */
  readonly logger?: Logger | undefined;
}

export type LoginDecision = undefined | boolean | { readonly retryAfterSeconds: number };

/** The options with every default filled in. */
export interface ResolvedSessionsOptions {
  readonly auth: Auth;
  readonly store: SessionStore;
  /** The column `instance` of what the store keeps. */
  readonly instance: string;
  readonly loadUser: SessionsOptions['loadUser'];
  readonly verifyCredentials: VerifyCredentials;
  readonly rotateEverySeconds: number;
  readonly throttle: LoginThrottle | undefined;
  /** Everything in the credentials that may name the account. */
  loginsOf(credentials: Credentials): readonly unknown[];
  clientAddress(request: Request, connection: ConnectionInfo): string | undefined;
  readonly beforeLogin: SessionsOptions['beforeLogin'];
  readonly onSessionRevoked: SessionsOptions['onSessionRevoked'];
  readonly onReuseDetected: SessionsOptions['onReuseDetected'];
  readonly onSessionAnomaly: SessionsOptions['onSessionAnomaly'];
  readonly logger: Logger;
  /** The time in whole Unix seconds. */
  now(): number;
}

const MAX_ROTATE_EVERY_SECONDS = 86_400;

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof SessionsOptions>([
  'auth',
  'store',
  'loadUser',
  'verifyCredentials',
  'rotateEverySeconds',
  'loginThrottle',
  'loginOf',
  'clientAddress',
  'beforeLogin',
  'onSessionRevoked',
  'onReuseDetected',
  'onSessionAnomaly',
  'clock',
  'logger',
]);

/** @throws TypeError naming the first option that is missing, unknown or out of bounds */
export function resolveSessionsOptions(options: SessionsOptions): ResolvedSessionsOptions {
  refuseUnknownOptions('createSessions', options, OPTION_NAMES);
  const { auth, store, loginThrottle = {} } = options;
  if (typeof auth?.issueAccessToken !== 'function') throw new TypeError('auth must be what createAuth made');
  if (typeof store?.useRefreshToken !== 'function') throw new TypeError('store must be a session store');
  for (const name of ['loadUser', 'verifyCredentials'] as const) requireFunction(name, options[name]);
  for (const name of HOOKS) if (options[name] !== undefined) requireFunction(name, options[name]);
  const clock = resolveClock(options.clock ?? auth.options.clock);
  const now = () => unixSeconds(clock);
  const readAddress: NonNullable<SessionsOptions['clientAddress']> =
    options.clientAddress?.bind(options) ?? ((_request, { ip }) => ip);
  const { audience, cookiePath } = auth.options;
  return Object.freeze<ResolvedSessionsOptions>({
    auth,
    store,
    instance: audience === false ? cookiePath : audience,
    loadUser: (uid) => options.loadUser(uid),
    verifyCredentials: (credentials, client) => options.verifyCredentials(credentials, client),
    rotateEverySeconds: integerOption(
      'rotateEverySeconds',
      options.rotateEverySeconds ?? 900,
      1,
      MAX_ROTATE_EVERY_SECONDS,
    ),
    throttle: loginThrottle === false ? undefined : createLoginThrottle(loginThrottle, now),
    loginsOf: loginReader({
      loginOf: options.loginOf?.bind(options),
      loginMember: options.verifyCredentials.loginMember,
    }),
    clientAddress: (request, connection) => plainAddress(readAddress(request, connection)),
    beforeLogin: options.beforeLogin?.bind(options),
    onSessionRevoked: options.onSessionRevoked?.bind(options),
    onReuseDetected: options.onReuseDetected?.bind(options),
    onSessionAnomaly: options.onSessionAnomaly?.bind(options),
    logger: resolveLogger(options.logger ?? auth.options.logger),
    now,
  });
}

const HOOKS = [
  'loginOf',
  'clientAddress',
  'beforeLogin',
  'onSessionRevoked',
  'onReuseDetected',
  'onSessionAnomaly',
] as const;

function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}
