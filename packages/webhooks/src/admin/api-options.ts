import {
  booleanOption,
  functionOption,
  refuseNullOptions,
  refuseUnknownOptions,
  serviceOption,
} from '../../../toolkit/src/options.ts';
import { consoleLoggerOfHandlers } from '../logging/console-logger.ts';
import { LOGGER, type Logger, nonThrowingLogger } from '../logging/logger.ts';
import type { OnAudit } from './audit.ts';
import { trustedOriginSet } from './cross-site.ts';

/** What the admin API and the portal's take. */
export interface ApiOptions {
  /**
   * Origins, besides the API's own, whose pages may make changes with the user's cookies, such as
   * `https://admin.example.com`. At most 64. Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Refuses every request that would change or send something (403 `read_only`), for every user.
   * Default: false.
   */
  readonly readOnly?: boolean | undefined;
  /** Receives every change: who did what to which webhook. Default: changes are not reported. */
  readonly onAudit?: OnAudit | undefined;
  /**
   * Logs every request that failed on the server's side (5xx), without its body, query or
   * credentials, every hook of the API that failed, and the first ten origins that it refused.
   * Default: failures go to `console.error`, once a minute for each kind with their number, origins
   * to `console.warn`.
   */
  readonly logger?: Logger | undefined;
}

interface GivenOptions extends ApiOptions {
  readonly authorize: unknown;
  readonly basePath?: string | undefined;
}

/** The options that both APIs have. */
const OPTION_NAMES = ['authorize', 'basePath', 'trustedOrigins', 'readOnly', 'onAudit', 'logger'] as const;

/**
 * Reads the options that both APIs have.
 *
 * @param api the function that takes them, the names of its other options, and its default path
 * @throws TypeError naming the option and its bounds
 */
export function readApiOptions(
  options: GivenOptions,
  api: { readonly name: string; readonly others: readonly string[]; readonly basePath: string },
) {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${api.name}: options with authorize are required`);
  }
  refuseUnknownOptions(api.name, options, [...OPTION_NAMES, ...api.others]);
  refuseNullOptions(api.name, options);
  if (typeof options.authorize !== 'function') {
    throw new TypeError('authorize must be a function that says who makes a request');
  }
  const { basePath = api.basePath, logger = consoleLoggerOfHandlers(), onAudit } = options;
  if (!isPath(basePath)) {
    throw new TypeError(`basePath must be a path such as ${api.basePath}, without a trailing slash`);
  }
  return {
    basePath,
    trustedOrigins: trustedOriginSet(options.trustedOrigins ?? []),
    readOnly: booleanOption('readOnly', options.readOnly, false),
    onAudit: onAudit && functionOption('onAudit', onAudit, onAudit),
    logger: nonThrowingLogger(serviceOption('logger', logger, LOGGER)),
  };
}

/** True if URL parsing leaves the path as it is. */
function isPath(basePath: unknown): basePath is string {
  if (typeof basePath !== 'string' || !/^(?:\/[^/?#{}]+)+$/.test(basePath)) return false;
  return new URL(`http://localhost${basePath}`).pathname === basePath;
}
