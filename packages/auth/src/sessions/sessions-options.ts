import { integerOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import type { Auth } from '../auth.ts';
import { plainAddress } from '../client-address.ts';
import { unixSeconds } from '../clock.ts';
import { boundedHostCall } from '../host-call.ts';
import { hostStore } from '../host-store.ts';
import { type AuthParts, requireParts } from '../http/auth-parts.ts';
import type { ConnectionInfo } from '../http/fetch-handler.ts';
import type { Logger } from '../logging/logger.ts';
import type {
  LoginAttemptEvent,
  LoginEvent,
  LoginFailedEvent,
  ReuseDetectedEvent,
  SessionAnomalyEvent,
  SessionRevokedEvent,
  ThrottledEvent,
} from './events/session-events.ts';
import { createSessionHooks, SESSION_HOOKS, type SessionHooks } from './events/session-hooks.ts';
import { type Credentials, loginReader } from './log-in/credentials.ts';
import { createLoginProtection, type LoginProtection } from './log-in/login-protection.ts';
import type { LoginThrottleOptions } from './log-in/login-throttle-options.ts';
import { resolveRememberMe } from './log-in/remember-me.ts';
import { resolveMaxSessions } from './revocation/session-limit.ts';
import { SESSION_STORE, type SessionStore } from './store/session-store.ts';

/** `NoInfer` of TypeScript 5.4, for the compilers before it. */
type NotInferred<Type> = [Type][Type extends unknown ? 0 : never];

/** A user, as far as a session needs one. */
export interface SessionUser<Scope extends string = string> {
  /** What the user may do now: the scopes of the next access token. */
  readonly scopes: readonly Scope[];
}

/** Where a session is used from, as far as the host can tell. */
export interface SessionClient {
  /** The client's address. Listed with the session, and counted by the log-in throttle. */
  readonly ip?: string | undefined;
  /** The browser, in its own words. Listed with the session. */
  readonly userAgent?: string | undefined;
}

/** What a verifier returns for right credentials. */
export interface VerifiedUser {
  readonly uid: string;
}

/** What a verifier learns of a log-in beside its credentials. */
export interface VerifyingClient extends SessionClient {
  /**
   * Counts the log-in against the account that its name has led to, whatever its spelling. Call it
   * once the account is found, and before anything is compared. If it returns `false`, too many
   * log-ins to the account have failed: go on as if there were no such account. Otherwise the
   * answer reveals that there is one. If there is none, call it with a uid that nobody has.
   * Otherwise a shared store has less to do, which reveals it as well.
   *
   * Known devices need it, as do lookups that find one account by many names.
   *
   * @param login the name that was looked for, 1–256 characters: without `loginOf`, the log-in
   *   counts against it, and against no other name in the credentials that nobody has looked for
   * @throws AuthError `rate_limited`, if too many log-ins to the account are under way: let it pass
   */
  mayTry?(uid: string, login?: string): Promise<boolean>;
}

/**
 * Returns the user whom the credentials belong to, disabled or not, or nothing.
 *
 * An `AuthError` that it throws is answered as such, any other error with 503. What a refusal
 * counts against:
 *
 * - no user, and any `AuthError` below 500 that may answer a guess: the account and the address
 * - `login_invalid` and `password_invalid`, which say that there was nothing to verify, and every
 *   other error: the address
 * - `rate_limited`, `hashing_busy`, `unavailable` (an outage) and `second_factor_required` (the
 *   password is right): nothing. Never throw these for a wrong secret
 */
export type VerifyCredentials = (
  credentials: Credentials,
  client: VerifyingClient,
) => Promise<VerifiedUser | null | undefined>;

/** Options of `createSessions`. */
export interface SessionsOptions<Scope extends string = string> {
  /**
   * The instance whose tokens and cookies the sessions use. Its audience, or cookie path,
   * identifies them.
   */
  readonly auth: Auth<Scope>;
  readonly store: SessionStore;
  /**
   * Returns the user's current scopes, or nothing if the user is deleted or disabled. Called at
   * every log-in and status poll, so that an administrator's change takes effect within a poll.
   *
   * If it throws, or takes longer than 30 s, the answer is 503 and the session stays as it is.
   */
  loadUser(uid: string): Promise<SessionUser<NotInferred<Scope>> | null | undefined>;
  /**
   * Returns the user whom the credentials belong to; `passwordCredentials` is the usual one. If it
   * takes longer than 30 s, the answer is 503, and the failure counts against the address.
   */
  readonly verifyCredentials: VerifyCredentials;
  /**
   * The age at which a refresh token gets a successor, counted from its first use. 1–86,400 s,
   * default 900.
   *
   * A replaced token works for 30 s after its successor was first used. Below 60 s, answers that
   * overtake each other on a slow network may log a user out.
   */
  readonly rotateEverySeconds?: number | undefined;
  /**
   * Lets a log-in ask for a session that lasts this long. At least `refreshTokenTtlSeconds`, at
   * most 34,560,000 s (400 days): no browser keeps a cookie longer. Default: no log-in can ask.
   */
  readonly rememberMeTtlSeconds?: number | undefined;
  /**
   * The most live sessions of a user. A log-in beyond it ends the oldest, with the reason `limit`,
   * once its own session is stored. 1–1,000, default 100; `false` sets no limit.
   */
  readonly maxSessionsPerUser?: number | false | undefined;
  /**
   * Bounds failed log-ins, in the memory of this process or in a store that processes share;
   * `false` leaves that to `beforeLogin`.
   */
  readonly loginThrottle?: LoginThrottleOptions | false | undefined;
  /**
   * Returns the account's name in the credentials, at most 256 characters, by which log-ins are
   * counted. Default: `login`, `username` and `email` are each counted, until the verifier says
   * which name it looks for, as `passwordCredentials` does. Log-ins that name no account
   * (`undefined`) count against their address alone.
   *
   * A name that is not text is refused with `login_invalid`, because a lookup may find an account
   * by it: if names are numbers, return their text. A promise is a TypeError at the log-in.
   *
   * Case, accents, invisible characters and Unicode's compatibility forms make no difference by
   * themselves. If your lookup is looser still (dots or tags of e-mail addresses, telephone numbers
   * in any notation) and your verifier does not call `mayTry`, return the one text that it looks
   * for. Otherwise each spelling has failures of its own.
   */
  loginOf?(credentials: Credentials): string | undefined;
  /**
   * Returns the client's address. Default: the address that the adapter passes. Behind a proxy that
   * is the proxy's, which all clients share: tell the framework to trust the proxy, or read here
   * the header that your proxy sets. `X-Forwarded-For` is never read by default, because a client
   * can send it too.
   *
   * A port is cut off. Clients without an address (`null`, `undefined`), or with text that is not
   * an address, are counted together, under a bound a hundred times as high: both are logged once.
   * Anything but text is a TypeError, answered 503.
   */
  clientAddress?(request: Request, connection: ConnectionInfo): string | null | undefined;
  /**
   * Called before credentials are verified. `false` (60 s), or a wait of 1–86,400 s, refuses the
   * log-in with 429. An `AuthError` that it throws is answered as such, and counts against the
   * address if its status is below 500. Any other error is 503, as is one that takes longer than
   * 30 s.
   */
  beforeLogin?(attempt: LoginAttemptEvent): LoginDecision | Promise<LoginDecision>;
  /**
   * Called for every log-in that created a session.
   *
   * This hook and those below are called once per fact, after it, in a later turn of the event
   * loop: whatever they do, no answer waits for them or changes. Of each hook, at most 16 calls are
   * under way, for 5 s each, and 1,000 notices wait; further ones are dropped. Drops and failures
   * are logged. No event carries a token, a cookie or a password.
   */
  onLogin?(event: LoginEvent): unknown;
  /**
   * Called for every log-in that was refused as wrong: answered 401 or 422, or an error of yours.
   */
  onLoginFailed?(event: LoginFailedEvent): unknown;
  /** Called for every log-in that was refused because there are too many. */
  onThrottled?(event: ThrottledEvent): unknown;
  /** Called for every session that this process ended before its time. */
  onSessionRevoked?(event: SessionRevokedEvent): unknown;
  /** Called when a refresh token is reused, before `onSessionRevoked`. */
  onReuseDetected?(event: ReuseDetectedEvent): unknown;
  /**
   * Called when a client refreshes a session again, within `rotateEverySeconds` plus 600 s after
   * another took its place, or at the fifth change of the client within that period: at most once a
   * minute for a session. It ends nothing, and the poll is answered: revoke the session here, or
   * ask its user.
   *
   * Clients differ by their user agent, or by their address (IPv6: its /64). An unknown value
   * differs from a known one. A thief who has the user's address and sends the user's user agent is
   * not noticed.
   */
  onSessionAnomaly?(event: SessionAnomalyEvent): unknown;
}

export type LoginDecision = undefined | boolean | { readonly retryAfterSeconds: number };

/** The options with every default filled in. */
export interface ResolvedSessionsOptions extends LoginProtection {
  readonly auth: Auth;
  readonly authParts: AuthParts;
  readonly store: SessionStore;
  /** The column `instance` of what the store keeps. */
  readonly instance: string;
  readonly loadUser: SessionsOptions['loadUser'];
  readonly verifyCredentials: VerifyCredentials;
  readonly rotateEverySeconds: number;
  readonly rememberMeTtlSeconds: number | undefined;
  readonly maxSessionsPerUser: number | false;
  /** Everything in the credentials that may name the account. */
  loginsOf(credentials: Credentials): readonly unknown[];
  /** Whether that is what the host has said, by `loginOf`. */
  readonly isNamed: boolean;
  clientAddress(request: Request, connection: ConnectionInfo): string | undefined;
  readonly beforeLogin: SessionsOptions['beforeLogin'];
  readonly hooks: SessionHooks;
  readonly logger: Logger;
  /** The time in whole Unix seconds. */
  now(): number;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof SessionsOptions>([
  'auth',
  'store',
  'loadUser',
  'verifyCredentials',
  'rotateEverySeconds',
  'rememberMeTtlSeconds',
  'maxSessionsPerUser',
  'loginThrottle',
  'loginOf',
  'clientAddress',
  'beforeLogin',
  ...SESSION_HOOKS,
]);

/** @throws TypeError naming the first option that is missing, unknown or out of bounds */
export function resolveSessionsOptions(options: SessionsOptions): ResolvedSessionsOptions {
  refuseUnknownOptions('createSessions', options, OPTION_NAMES);
  const { auth, store } = options;
  const authParts = requireParts(auth);
  serviceOption('store', store, SESSION_STORE);
  for (const name of ['loadUser', 'verifyCredentials'] as const) requireFunction(name, options[name]);
  for (const name of FUNCTIONS) if (options[name] !== undefined) requireFunction(name, options[name]);
  const { audience, clock, cookiePath, logger } = auth.options;
  const now = () => unixSeconds(clock);
  const readAddress: NonNullable<SessionsOptions['clientAddress']> =
    options.clientAddress?.bind(options) ?? ((_request, { ip }) => ip);
  const instance = audience === false ? cookiePath : audience;
  return Object.freeze<ResolvedSessionsOptions>({
    auth,
    authParts,
    store: hostStore(store, SESSION_STORE),
    instance,
    loadUser: boundedHostCall('loadUser', options.loadUser.bind(options)),
    verifyCredentials: boundedHostCall('verifyCredentials', options.verifyCredentials.bind(options)),
    rotateEverySeconds: integerOption('rotateEverySeconds', options.rotateEverySeconds, {
      default: 900,
      min: 1,
      max: 86_400,
    }),
    rememberMeTtlSeconds: resolveRememberMe(options.rememberMeTtlSeconds, auth.options),
    maxSessionsPerUser: resolveMaxSessions(options.maxSessionsPerUser),
    ...createLoginProtection(options.loginThrottle ?? {}, { auth, authParts, instance, now, logger }),
    loginsOf: loginReader(options.loginOf?.bind(options), options.verifyCredentials),
    isNamed: options.loginOf !== undefined,
    clientAddress: (request, connection) => plainAddress(readAddress(request, connection)),
    beforeLogin: options.beforeLogin && boundedHostCall('beforeLogin', options.beforeLogin.bind(options)),
    hooks: createSessionHooks(options, logger),
    logger,
    now,
  });
}

const FUNCTIONS = ['loginOf', 'clientAddress', 'beforeLogin', ...SESSION_HOOKS] as const;

function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}
