import type { AuthErrorCode } from '../../error-codes.ts';
import type { RefreshClient, RevokeReason } from '../session.ts';

export interface SessionRevokedEvent {
  readonly sessionId: string;
  readonly uid: string;
  readonly reason: RevokeReason;
  /** Unix seconds. */
  readonly revokedAt: number;
}

/**
 * A refresh token was presented whose successor is in use: one of the two clients is not the user.
 */
export interface ReuseDetectedEvent {
  readonly sessionId: string;
  readonly uid: string;
  /** Unix seconds. */
  readonly detectedAt: number;
  /** The client's address, as a session lists it; '' if it is not known. */
  readonly ip: string;
  /** At most 256 characters; '' if it is not known. */
  readonly userAgent: string;
}

/**
 * Several clients refresh one session. Either a copy of its refresh token keeps up with the
 * rotation, or the user changes between networks, or between browsers that share their cookies.
 */
export interface SessionAnomalyEvent {
  /**
   * `alternating_clients`: a client has come back after another took its place. `changing_clients`:
   * this is the fifth change in a short time, and no client has come back.
   */
  readonly kind: 'alternating_clients' | 'changing_clients';
  readonly sessionId: string;
  readonly uid: string;
  /** Unix seconds. */
  readonly detectedAt: number;
  /** The address of the client that has come back, or is new, as it is listed. */
  readonly ip: string;
  readonly userAgent: string;
  /** As in the list of sessions; this client is the first. */
  readonly refreshedFrom: readonly RefreshClient[];
}

/** A log-in that is about to be verified. */
export interface LoginAttemptEvent {
  /** The account's name, if the credentials hold exactly one; else `undefined`. */
  readonly login: string | undefined;
  /**
   * Every text that the throttle counts the log-in by until it is verified: the result of
   * `loginOf`, or the members `login`, `username` and `email`. A limiter of your own counts each of
   * them, because the client chooses those that the verifier does not read.
   * Each has at most 256 characters, spelt as the client sent it.
   */
  readonly logins: readonly string[];
  /** The client's address, without a port. Text that is not an address is passed as it came. */
  readonly ip: string | undefined;
}

/** What every event about a log-in says. */
interface LoginFacts {
  /** `credentials`: the endpoint, or `login`. `loginAs`: the host has identified the user. */
  readonly method: 'credentials' | 'loginAs';
  /** The client's address, as a session lists it; '' if it is not known. */
  readonly ip: string;
  /** At most 256 characters; '' if it is not known. */
  readonly userAgent: string;
}

/** A log-in that created a session. */
export interface LoginEvent extends LoginFacts {
  readonly sessionId: string;
  readonly uid: string;
  /** Unix seconds. */
  readonly loggedInAt: number;
}

/** What a log-in that was refused names. Never a password, nor any other member. */
interface RefusedLoginFacts extends LoginFacts {
  /**
   * The account's name in the credentials: every text that the throttle counts the log-in by, as in
   * `beforeLogin`. Each is spelt as the client sent it and cut at 256 characters: it may hold line
   * breaks, and a name that no account has. People also type passwords here by mistake.
   */
  readonly logins: readonly string[];
  /** The user whom `loginAs` was called for. */
  readonly uid: string | undefined;
}

/** A log-in that was refused as wrong: no such user, another password, an impossible login. */
export interface LoginFailedEvent extends RefusedLoginFacts {
  /**
   * The code of the answer: `invalid_credentials`, `login_invalid`, `password_invalid`, or that of
   * an error of yours.
   */
  readonly code: AuthErrorCode;
  /** Unix seconds. */
  readonly failedAt: number;
}

/** A log-in that was refused because there are too many. */
export interface ThrottledEvent extends RefusedLoginFacts {
  readonly code: 'rate_limited' | 'hashing_busy';
  /**
   * Who refused it: the throttle of this process, `beforeLogin`, or the verifier, whose hashing may
   * be busy.
   */
  readonly by: 'throttle' | 'beforeLogin' | 'verifier';
  /** `Retry-After` of the answer. */
  readonly retryAfterSeconds: number;
  /** Unix seconds. */
  readonly throttledAt: number;
}
