/** The answer of the status endpoint for a live session. */
export interface SessionStatus {
  /** Whose session it is. After a log-in in another tab it may be another user than before. */
  readonly uid: string;
  /** What the user may do now: scopes are read again at every poll. */
  readonly scopes: readonly string[];
  /** When the new access token expires, in Unix seconds of the server's clock. */
  readonly expiresAt: number;
  /**
   * What the server's clock showed, in Unix seconds: the difference to `expiresAt` holds whatever
   * our clock says.
   */
  readonly serverTime: number;
}

/** The reason why the state of the session is unknown for now. The poll continues by itself. */
export interface PollFailure {
  /**
   * The HTTP status, or 0 when there was no answer that could be understood: no network, a timeout,
   * no JSON.
   */
  readonly status: number;
  /** How many polls in a row failed, this one included. */
  readonly failures: number;
}

/** How one poll ended. A tab acts on it and tells it to the other tabs. */
export type PollOutcome =
  | { readonly kind: 'refreshed'; readonly sentAt: number; readonly session: SessionStatus }
  | { readonly kind: 'revoked'; readonly sentAt: number }
  | {
      readonly kind: 'failed';
      /**
       * When the request was sent, in milliseconds of this machine's clock, which all its tabs
       * share.
       */
      readonly sentAt: number;
      readonly failure: PollFailure;
      /** The pause that the server asked for, in ms; 0 for none. */
      readonly retryAfterMs: number;
    };

/** Reads the body of a status answer, or returns `undefined` if it has another shape. */
export function readSessionStatus(body: unknown): SessionStatus | undefined {
  const { uid, scopes, expires_at: expiresAt, server_time: serverTime } = membersOf(body);
  return sessionStatus(uid, scopes, expiresAt, serverTime);
}

/**
 * Reads a message of another tab, or returns `undefined` if it has another shape.
 *
 * Every script of the origin may write to the channel, an older release of this one included.
 */
export function readPollOutcome(message: unknown): PollOutcome | undefined {
  const { kind, sentAt, session, failure, retryAfterMs } = membersOf(message);
  if (!isFiniteNumber(sentAt)) return undefined;
  if (kind === 'revoked') return { kind, sentAt };
  if (kind === 'refreshed') {
    const { uid, scopes, expiresAt, serverTime } = membersOf(session);
    const read = sessionStatus(uid, scopes, expiresAt, serverTime);
    return read && { kind, sentAt, session: read };
  }
  const { status, failures } = membersOf(failure);
  if (kind !== 'failed' || !isFiniteNumber(status) || !isFiniteNumber(failures)) return undefined;
  return isFiniteNumber(retryAfterMs)
    ? { kind, sentAt, failure: { status, failures }, retryAfterMs }
    : undefined;
}

function sessionStatus(
  uid: unknown,
  scopes: unknown,
  expiresAt: unknown,
  serverTime: unknown,
): SessionStatus | undefined {
  if (typeof uid !== 'string' || !isTextList(scopes)) return undefined;
  if (!isFiniteNumber(expiresAt) || !isFiniteNumber(serverTime)) return undefined;
  return Object.freeze({ uid, scopes: Object.freeze([...scopes]), expiresAt, serverTime });
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
