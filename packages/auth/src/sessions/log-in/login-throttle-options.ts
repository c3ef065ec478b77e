import { integerOption, refuseUnknownOptions, serviceOption } from '../../../../toolkit/src/options.ts';
import { LOGIN_FAILURE_STORE, type LoginFailureStore } from '../../throttle/login-failure-store.ts';

const MAX_FAILURES = 100_000;
const MAX_WINDOW_SECONDS = 86_400;

export interface LoginThrottleOptions {
  /**
   * Failed log-ins under one name in a window. 1–100,000, default 10. An account that the verifier
   * has found may fail three times as often, under all names together.
   */
  readonly maxFailuresPerAccount?: number | undefined;
  /**
   * Failed log-ins from one IPv4 address or IPv6 /64 in a window. 1–100,000, default 100, because
   * an office shares one. A /56 may fail three times as often, a /48 ten times.
   *
   * Clients whose address is unknown share a limit a hundred times as high.
   */
  readonly maxFailuresPerAddress?: number | undefined;
  /** Length of a window, which begins with the first attempt. 1–86,400 s, default 900. */
  readonly windowSeconds?: number | undefined;
  /**
   * Where all processes count together, such as `kyselyLoginFailures(db)`: they then admit as many
   * failures as one. Windows begin at whole multiples of `windowSeconds`. Default: each process
   * counts by itself.
   *
   * If the store fails, or takes longer than 3 s, this process counts by itself for 5 s, and the
   * logger gets the error once a minute. In such a window, n processes and the store admit n + 1
   * times as many.
   */
  readonly store?: LoginFailureStore | undefined;
  /**
   * Gives an account's own browsers failures of their own, so that guesses from elsewhere do not
   * lock its owner out. A log-in then sets a cookie that lasts, if its verifier has called
   * `mayTry`, as `passwordCredentials` does. The cookie is called `known_device`, after the
   * instance's `cookiePrefix` and the name of its refresh cookie, if it has one of its own, such as
   * `admin_refresh.known_device`. It lasts for 90 days after the last log-in. Default true.
   */
  readonly knownDevices?: boolean | undefined;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof LoginThrottleOptions>([
  'maxFailuresPerAccount',
  'maxFailuresPerAddress',
  'windowSeconds',
  'store',
  'knownDevices',
]);

/** @throws TypeError naming the first option that is unknown or out of bounds */
export function resolveLoginThrottleOptions(options: LoginThrottleOptions) {
  refuseUnknownOptions('loginThrottle', options, OPTION_NAMES);
  const { maxFailuresPerAccount = 10, maxFailuresPerAddress = 100, windowSeconds = 900, store } = options;
  if (store !== undefined) serviceOption('loginThrottle.store', store, LOGIN_FAILURE_STORE);
  return {
    maxFailuresPerAccount: bounded('maxFailuresPerAccount', maxFailuresPerAccount),
    maxFailuresPerAddress: bounded('maxFailuresPerAddress', maxFailuresPerAddress),
    windowSeconds: integerOption('loginThrottle.windowSeconds', windowSeconds, {
      min: 1,
      max: MAX_WINDOW_SECONDS,
    }),
    store,
  };
}

function bounded(name: string, value: number): number {
  return integerOption(`loginThrottle.${name}`, value, { min: 1, max: MAX_FAILURES });
}
