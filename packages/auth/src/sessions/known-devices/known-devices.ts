import type { Auth } from '../../auth.ts';
import { requireUid } from '../../claims.ts';
import { MAX_COOKIES_PER_NAME } from '../../cookies/cookie-header.ts';
import { type CookieSettings, cookieBeside } from '../../cookies/cookie-settings.ts';
import { setCookie } from '../../cookies/set-cookie.ts';
import { boundedHostCall } from '../../host-call.ts';
import type { Logger } from '../../logging/logger.ts';
import { integerOption } from '../../options/integer-option.ts';
import { refuseUnknownOptions } from '../../options/refuse-unknown-options.ts';
import { accountKey } from '../../throttle/account-key.ts';
import { generateId } from '../../tokens/random-id.ts';
import type {
  DeviceAccount,
  FindAccount,
  KnownDevicesOptions,
  VerifiedUser,
} from './known-devices-options.ts';

const DEFAULT_MAX_AGE_SECONDS = 90 * 86_400;
/** RFC 6265bis section 5.5: browsers cap a cookie's life at 400 days. */
const MAX_AGE_SECONDS = 400 * 86_400;
/** How far ahead the clock of another process may have been when it issued a cookie. */
const MAX_CLOCK_SKEW_SECONDS = 60;
const MAX_VERSION_LENGTH = 1_024;
const KEYED_HASH_LABEL = '@acme/auth known device';

/** Device id, time of issue, hash for the account, hash for its password as well. */
const COOKIE_FORM = /^([0-9a-f]{32})\.([1-9]\d{0,11})\.([\w-]{43})\.([\w-]{43})$/;

/**
 * Recognises the browsers in which an account has logged in before, by a cookie that grants nothing
 * else: at a log-in, such a browser has failures of its own.
 *
 * The cookie holds a random id and two keyed hashes. The first is over instance, login, id and
 * time; without it, the host is not asked. The second is over the user and the password version,
 * too, so that a changed password voids the cookie. A cookie of another account or instance, or one
 * that is forged or has expired, is as good as none.
 */
export interface KnownDevices {
  readonly cookie: CookieSettings;
  /** The host's, bounded in time. */
  readonly findAccount: FindAccount;
  /**
   * Returns the id of the device that the cookies prove, for the account that a login names. More
   * than four cookies prove nothing.
   *
   * @param refuse called with the ids of cookies that were issued for the login, before the host is
   *   asked about their password
   * @throws any error of `refuse`, and of the host's `findAccount`
   */
  recognise(
    login: string,
    cookies: readonly string[],
    refuse?: (ids: readonly string[]) => void,
  ): Promise<string | undefined>;
  /** @throws TypeError when `remember` could not take this user */
  assertUser(user: VerifiedUser): void;
  /**
   * Returns the `Set-Cookie` value after a right log-in, or `undefined` if the verifier gave no
   * password version.
   *
   * @param deviceId of a device that was recognised; otherwise it gets a new one
   */
  remember(login: string, user: VerifiedUser, deviceId: string | undefined): string | undefined;
}

export interface KnownDevicesConfig {
  readonly auth: Auth;
  readonly instance: string;
  /** The verifier's, where the options have none. */
  readonly findAccount: FindAccount | undefined;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
}

/** @throws TypeError naming the first option that is missing, unknown or out of bounds */
export function createKnownDevices(options: KnownDevicesOptions, config: KnownDevicesConfig): KnownDevices {
  const { auth, instance, logger, now } = config;
  const { cookie, findAccount, maxAgeSeconds } = resolveOptions(options, config);
  const hashes = auth.keyedHash(KEYED_HASH_LABEL);
  let hasReported = false;

  function read(login: string, value: string): Presented | undefined {
    const [, id = '', issuedAt = '', hash = '', passwordHash = ''] = COOKIE_FORM.exec(value) ?? [];
    const age = now() - Number(issuedAt);
    if (id === '' || age >= maxAgeSeconds || age < -MAX_CLOCK_SKEW_SECONDS) return undefined;
    const bound = [instance, accountKey(login), id, Number(issuedAt)];
    return hashes.matches(textOf(bound), hash) ? { id, bound, passwordHash } : undefined;
  }

  return {
    cookie,
    findAccount,

    async recognise(login, cookies, refuse) {
      if (cookies.length > MAX_COOKIES_PER_NAME) return undefined;
      const presented = cookies.flatMap((value) => read(login, value) ?? []);
      if (presented.length === 0) return undefined;
      refuse?.(presented.map(({ id }) => id));
      const account = await findAccount(login);
      if (account === null || account === undefined) return undefined;
      const password = passwordOf(account);
      return presented.find(({ bound, passwordHash }) =>
        hashes.matches(textOf([...bound, ...password]), passwordHash),
      )?.id;
    },

    assertUser({ uid, passwordVersion }) {
      if (passwordVersion !== undefined) passwordOf({ uid, passwordVersion });
    },

    remember(login, { uid, passwordVersion }, deviceId = generateId()) {
      if (passwordVersion === undefined) {
        if (!hasReported) logger.error({}, NO_VERSION);
        hasReported = true;
        return undefined;
      }
      const bound = [instance, accountKey(login), deviceId, now()];
      const password = passwordOf({ uid, passwordVersion });
      const value = [
        deviceId,
        bound[3],
        hashes.hash(textOf(bound)),
        hashes.hash(textOf([...bound, ...password])),
      ].join('.');
      return setCookie(cookie, value, maxAgeSeconds);
    },
  };
}

const NO_VERSION =
  'verifyCredentials returns no passwordVersion, so no device becomes known. This is logged once; see knownDevices';

/** A cookie whose first hash is right: the password is what is left to check. */
interface Presented {
  readonly id: string;
  readonly bound: readonly unknown[];
  readonly passwordHash: string;
}

/** As JSON, so that no two lists have one text. */
function textOf(list: readonly unknown[]): string {
  return JSON.stringify(list);
}

/** @throws TypeError when a host without types gives something else */
function passwordOf({ uid, passwordVersion }: DeviceAccount): readonly [string, string] {
  const isVersion =
    typeof passwordVersion === 'string' &&
    passwordVersion.length >= 1 &&
    passwordVersion.length <= MAX_VERSION_LENGTH;
  requireUid(uid, 'The uid of an account');
  if (isVersion) return [uid, passwordVersion];
  throw new TypeError(
    `The passwordVersion of an account must be a string of 1 to ${MAX_VERSION_LENGTH} characters`,
  );
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof KnownDevicesOptions>([
  'findAccount',
  'maxFailuresPerDevice',
  'cookieName',
  'maxAgeSeconds',
]);

function resolveOptions(options: KnownDevicesOptions, { auth, findAccount }: KnownDevicesConfig) {
  refuseUnknownOptions('loginThrottle.knownDevices', options, OPTION_NAMES);
  const { cookieName = 'known_device', maxAgeSeconds = DEFAULT_MAX_AGE_SECONDS } = options;
  const find = options.findAccount?.bind(options) ?? findAccount;
  if (typeof find !== 'function') {
    throw new TypeError(
      'loginThrottle.knownDevices.findAccount must be a function, unless verifyCredentials is passwordCredentials',
    );
  }
  const { accessTokenCookie: accessToken, refreshTokenCookie: refreshToken } = auth.options;
  return {
    cookie: cookieBeside({ accessToken, refreshToken }, 'loginThrottle.knownDevices.cookieName', cookieName),
    findAccount: boundedHostCall('findAccount', find),
    maxAgeSeconds: integerOption(
      'loginThrottle.knownDevices.maxAgeSeconds',
      maxAgeSeconds,
      1,
      MAX_AGE_SECONDS,
    ),
  };
}
