import { functionOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import { type Clock, systemClock, unixSeconds } from '../clock.ts';
import { boundedHostCall } from '../host-call.ts';
import { hostStore } from '../host-store.ts';
import { defaultLogger, type Logger, resolveLogger } from '../logging/logger.ts';
import { instanceName } from '../options/instance-name.ts';
import { generateApiKey } from './api-key.ts';
import { API_KEY_STORE, type ApiKeyStore } from './api-key-store.ts';

/**
 * An instance, as far as API keys need one; every `Auth` fits. The clock judges when keys expire,
 * and the logger reports last uses that cannot be stored.
 */
export interface ApiKeyInstance {
  readonly options: { readonly audience: string | false; readonly clock: Clock; readonly logger: Logger };
}

/**
 * Options of API keys. Keys are bound to an instance, as tokens are: a key of another instance is
 * unknown, and user 42 is not administrator 42. One of `auth`, `instance` and `prefix` must name
 * the instance, in this order.
 */
export interface ApiKeysOptions {
  /**
   * The instance whose users own the keys, by its `audience`. With `audience: false`, `instance` is
   * required as well.
   */
  readonly auth?: ApiKeyInstance | undefined;
  /**
   * A name for the instance, 1–256 characters, unlike that of every other one on the same tables.
   */
  readonly instance?: string | undefined;
  /**
   * The prefix of new keys: 2–32 characters, a lower-case letter first, then `a-z`, `0-9` or `_`.
   * Default `key`. It names the instance if neither `auth` nor `instance` does: no guard takes an
   * `auth` and these keys. The prefix of a single `create` never names it.
   */
  readonly prefix?: string | undefined;
  /**
   * Returns the current scopes of a key's owner, or nothing if the owner is deleted or disabled:
   * the key is then refused. With sessions, give `sessions.loadUser`. Called for every new key, and
   * for every valid key of every request. A key loses the scopes that its owner has lost. If it
   * throws, or takes longer than 5 s, the answer to the key is 503.
   *
   * Default: owners are not loaded, their keys work until they are revoked, and no session's user
   * can create one.
   */
  loadUser?:
    | ((uid: string) => Promise<{ readonly scopes: readonly string[] } | null | undefined>)
    | undefined;
  /**
   * Lets a request with an API key create, list and revoke keys. Default false, because a leaked
   * key could otherwise create successors that outlive its revocation.
   */
  readonly dangerouslyAllowManagementByApiKey?: boolean | undefined;
}

/** How long a request with a key waits for `loadUser`. */
const LOAD_TIMEOUT_MS = 5_000;

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof ApiKeysOptions | 'store'>([
  'store',
  'auth',
  'instance',
  'prefix',
  'loadUser',
  'dangerouslyAllowManagementByApiKey',
]);

/** The options with every default filled in. */
export interface ResolvedApiKeysOptions {
  readonly store: ApiKeyStore;
  /** The value of the column `instance` in the store. */
  readonly instance: string;
  /** That of the owners; not known where a prefix alone names the instance. */
  readonly audience: string | false | undefined;
  readonly prefix: string;
  readonly loadUser: ApiKeysOptions['loadUser'];
  readonly logger: Logger;
  readonly isKeyEnough: boolean;
  /** The time in whole Unix seconds. */
  now(): number;
}

/** @throws TypeError naming the option that is missing, unknown or out of bounds */
export function resolveApiKeysOptions(
  options: ApiKeysOptions & { readonly store: ApiKeyStore },
): ResolvedApiKeysOptions {
  refuseUnknownOptions('createApiKeys', options, OPTION_NAMES);
  serviceOption('store', options.store, API_KEY_STORE);
  const { store, auth, prefix = 'key' } = options;
  const instance = resolveInstance(options);
  const clock = functionOption('clock', auth?.options.clock, systemClock);
  // Throws for a prefix of a wrong form now, not at the first key.
  generateApiKey(prefix);
  return Object.freeze<ResolvedApiKeysOptions>({
    store: hostStore(store, API_KEY_STORE),
    instance,
    audience: auth?.options.audience ?? options.instance,
    prefix,
    loadUser: resolveLoadUser(options),
    logger: resolveLogger(auth?.options.logger ?? defaultLogger),
    isKeyEnough: options.dangerouslyAllowManagementByApiKey ?? false,
    now: () => unixSeconds(clock),
  });
}

function resolveLoadUser(options: ApiKeysOptions): ApiKeysOptions['loadUser'] {
  const { loadUser } = options;
  if (loadUser === undefined) return undefined;
  return boundedHostCall(
    'loadUser',
    functionOption('loadUser', loadUser, loadUser).bind(options),
    LOAD_TIMEOUT_MS,
  );
}

function resolveInstance({ auth, instance, prefix }: ApiKeysOptions): string {
  const name = instanceName({ auth, instance }) ?? prefix;
  if (name !== undefined) return name;
  throw new TypeError('API keys are bound to an instance: give auth, instance or prefix');
}
