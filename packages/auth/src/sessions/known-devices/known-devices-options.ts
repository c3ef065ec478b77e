/** The account that a login names, as far as a known device needs it. */
export interface DeviceAccount {
  /** 1–128 characters. */
  readonly uid: string;
  /**
   * Text that changes with the password, 1–1,024 characters: a hash of the stored text, or the time
   * of the last change. It is only ever hashed.
   */
  readonly passwordVersion: string;
}

/** Returns the account that a login names, or nothing if there is none, or it has no password. */
export type FindAccount = (login: string) => Promise<DeviceAccount | null | undefined>;

/** What a verifier returns for right credentials. */
export interface VerifiedUser {
  readonly uid: string;
  /** The version of the password that was verified, as `findAccount` gives it. */
  readonly passwordVersion?: string | undefined;
}

/** Options of `loginThrottle.knownDevices`. */
export interface KnownDevicesOptions {
  /**
   * Returns the uid and the password version of the account that a login names. Called before the
   * credentials are verified, and only for a cookie that this instance has issued for that login.
   * If it throws, or takes longer than 30 s, the answer is 503. Default: the `findAccount` of
   * `passwordCredentials`.
   *
   * A verifier of your own returns the `passwordVersion` that it has verified with the `uid`;
   * without it no device becomes known, and the logger is told once.
   */
  findAccount?(login: string): Promise<DeviceAccount | null | undefined>;
  /** Failed log-ins of one device in a window. 1–100,000, default 10. */
  readonly maxFailuresPerDevice?: number | undefined;
  /** Default `known_device`; the instance's `cookiePrefix` goes before it. */
  readonly cookieName?: string | undefined;
  /**
   * How long a device stays known after a log-in. 1–34,560,000 s (400 days), default 7,776,000 (90
   * days).
   */
  readonly maxAgeSeconds?: number | undefined;
}
