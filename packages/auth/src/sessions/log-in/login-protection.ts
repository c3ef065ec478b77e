import type { Auth } from '../../auth.ts';
import type { AuthParts } from '../../http/auth-parts.ts';
import type { Logger } from '../../logging/logger.ts';
import { createThrottle, type Throttle } from '../../throttle/throttle.ts';
import { createKnownDevices, type KnownDevices } from '../known-devices/known-devices.ts';
import { type LoginThrottleOptions, resolveLoginThrottleOptions } from './login-throttle-options.ts';

/** What bounds the failed log-ins of sessions; nothing does for `loginThrottle: false`. */
export interface LoginProtection {
  readonly throttle: Throttle | undefined;
  readonly knownDevices: KnownDevices | undefined;
}

export interface LoginProtectionConfig {
  readonly auth: Auth;
  readonly authParts: AuthParts;
  readonly instance: string;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
}

const KEYED_HASH_LABEL = '@acme/auth failed log-ins';

/**
 * Creates the throttle of an instance: its shared counts are apart from those of other instances,
 * and of apps with other signing keys.
 *
 * @throws TypeError naming the first option that is missing, unknown or out of bounds
 */
export function createLoginProtection(
  options: LoginThrottleOptions | false,
  config: LoginProtectionConfig,
): LoginProtection {
  if (options === false) return { throttle: undefined, knownDevices: undefined };
  const { authParts, instance, now, logger } = config;
  const { store, ...limits } = resolveLoginThrottleOptions(options);
  const { hash } = authParts.keyedHash(KEYED_HASH_LABEL);
  const shared = store && {
    store,
    hash: (text: string) => hash(JSON.stringify([instance, text])),
    counted: 'failed log-ins',
    logger,
  };
  const { knownDevices = true } = options;
  return {
    throttle: createThrottle({ ...limits, shared }, now),
    knownDevices: knownDevices ? createKnownDevices(config) : undefined,
  };
}
