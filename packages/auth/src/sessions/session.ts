/** A session as a list shows it. */
export interface Session {
  /** 32 hex characters: the `sid` of its access tokens. */
  readonly id: string;
  /** 1–128 characters. */
  readonly uid: string;
  /** The audience or cookie path of the session's instance. 1–256 characters. */
  readonly instance: string;
  readonly createdAt: number;
  /** Fixed at log-in; rotation does not move it. */
  readonly expiresAt: number;
  /** The recorded last use. It may be some minutes old, because not every poll is recorded. */
  readonly lastUsedAt: number;
  /** The client's user agent at log-in. At most 256 characters, without U+0000, possibly empty. */
  readonly userAgent: string;
  /** The client's address at log-in. At most 64 characters, possibly empty. */
  readonly ip: string;
  /**
   * The clients that the session was refreshed from since the log-in, newest first: one entry for
   * each change, at most five. The client of the log-in is not listed until the session comes back
   * to it. The list of a new session is empty.
   */
  readonly refreshedFrom: readonly RefreshClient[];
}

/** A client that a session was refreshed from, until the next one. */
export interface RefreshClient {
  /** The time at which its first refresh was recorded, in Unix seconds. */
  readonly since: number;
  /** At most 64 characters, possibly empty. */
  readonly ip: string;
  /** At most 256 characters, without U+0000, possibly empty. */
  readonly userAgent: string;
}

/** The reason why a session ended before it expired. */
export type RevokeReason =
  /** The user logged out. */
  | 'logout'
  /** A log-in request had the session's cookie: the new session replaces it. */
  | 'login'
  /** The user, in the list of sessions, or the host ended this one session. */
  | 'revoked'
  /** All sessions of the user were ended, or all but one. */
  | 'revoked_all'
  /** A newer log-in of the user exceeded `maxSessionsPerUser`: this was the oldest. */
  | 'limit'
  /** A refresh token was presented again after its successor had been used. */
  | 'reuse'
  /** At a status poll, the host did not know the user or had disabled it. */
  | 'user_disabled';
