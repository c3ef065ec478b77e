import { functionOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import { type Clock, systemClock, unixSeconds } from '../clock.ts';
import { hostStore } from '../host-store.ts';
import { instanceName } from '../options/instance-name.ts';
import { ONE_TIME_TOKEN_STORE, type OneTimeTokenStore } from './one-time-token-store.ts';

/** An instance, as far as one-time tokens need one; every `Auth` fits. Its clock is theirs. */
export interface OneTimeTokenInstance {
  readonly options: { readonly audience: string | false; readonly clock: Clock };
}

/**
 * Options of one-time tokens. Tokens are bound to an instance, as API keys are: `auth` or
 * `instance` must name it.
 */
export interface OneTimeTokensOptions {
  readonly store: OneTimeTokenStore;
  /**
   * The instance whose users get the tokens, by its `audience`. With `audience: false`, `instance`
   * is required as well.
   */
  readonly auth?: OneTimeTokenInstance | undefined;
  /**
   * A name for the instance, 1–256 characters, unlike that of every other one on the same tables.
   */
  readonly instance?: string | undefined;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof OneTimeTokensOptions>(['store', 'auth', 'instance']);

/** The options with every default filled in. */
export interface ResolvedOneTimeTokensOptions {
  readonly store: OneTimeTokenStore;
  /** The value of the column `instance` in the store. */
  readonly instance: string;
  /** The time in whole Unix seconds. */
  now(): number;
}

/** @throws TypeError naming the option that is missing, unknown or out of bounds */
export function resolveOneTimeTokensOptions(options: OneTimeTokensOptions): ResolvedOneTimeTokensOptions {
  refuseUnknownOptions('createOneTimeTokens', options, OPTION_NAMES);
  const { store, auth } = options;
  serviceOption('store', store, ONE_TIME_TOKEN_STORE);
  const instance = instanceName(options);
  if (instance === undefined) {
    throw new TypeError('One-time tokens are bound to an instance: give auth or instance');
  }
  const clock = functionOption('clock', auth?.options.clock, systemClock);
  return Object.freeze<ResolvedOneTimeTokensOptions>({
    store: hostStore(store, ONE_TIME_TOKEN_STORE),
    instance,
    now: () => unixSeconds(clock),
  });
}
