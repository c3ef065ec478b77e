import {
  booleanOption,
  functionOption,
  refuseUnknownOptions,
  serviceOption,
} from '../../../toolkit/src/options.ts';
import { type Clock, checkedClock, dependableClock, systemClock } from '../clock.ts';
import { consoleLogger } from '../logging/console-logger.ts';
import { LOGGER, type Logger, nonThrowingLogger } from '../logging/logger.ts';
import type { DescribeActors } from './actor-names.ts';
import type { OnAudit } from './audit.ts';
import type { Authorize } from './authorize.ts';
import { trustedOriginSet } from './cross-site.ts';

/** What {@link createAdminApi} takes. */
export interface AdminApiOptions {
  /**
   * Identifies the administrator. There is no default, so omitting an option never opens the API.
   */
  readonly authorize: Authorize;
  /** The full path as clients see it, without a trailing slash. Default: `/api/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /**
   * Origins, besides the API's own, whose pages may make changes with the user's cookies, such as
   * `https://admin.example.com`. At most 64. Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Refuses every request that would change or send something (403 `read_only`), for every
   * administrator. Default: false.
   */
  readonly readOnly?: boolean | undefined;
  /** Returns the names behind uids, for `created_by_name`. Default: answers have no names. */
  readonly describeActors?: DescribeActors | undefined;
  /** Receives every change: who did what to which webhook. Default: changes are not reported. */
  readonly onAudit?: OnAudit | undefined;
  /** The clock of audit events. Default: `Date.now`. */
  readonly clock?: Clock | undefined;
  /**
   * Logs every request that failed on the server's side (5xx), without its body, query or
   * credentials, and every `onAudit` and `describeActors` that failed. Default: they go to
   * `console.error`, once a minute for each kind with their number.
   */
  readonly logger?: Logger | undefined;
}

const OPTION_NAMES: readonly (keyof AdminApiOptions)[] = [
  'authorize',
  'basePath',
  'trustedOrigins',
  'readOnly',
  'describeActors',
  'onAudit',
  'clock',
  'logger',
];

/**
 * Reads the options of `createAdminApi`.
 *
 * @throws TypeError naming the option and its bounds
 */
export function readAdminOptions(options: AdminApiOptions) {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError('createAdminApi: options with authorize are required');
  }
  refuseUnknownOptions('createAdminApi', options, OPTION_NAMES);
  const authorize: unknown = options.authorize;
  if (typeof authorize !== 'function') {
    throw new TypeError('authorize must be a function that says who makes a request');
  }
  const { basePath = '/api/admin/webhooks', logger = consoleLogger() } = options;
  checkBasePath(basePath);
  return {
    authorize: options.authorize,
    basePath,
    trustedOrigins: trustedOriginSet(options.trustedOrigins ?? []),
    readOnly: booleanOption('readOnly', options.readOnly, false),
    describeActors:
      options.describeActors &&
      functionOption('describeActors', options.describeActors, options.describeActors),
    onAudit: functionOption<OnAudit>('onAudit', options.onAudit, () => {}),
    clock: dependableClock(checkedClock(functionOption('clock', options.clock, systemClock))),
    logger: nonThrowingLogger(serviceOption('logger', logger, LOGGER)),
  };
}

/** @throws TypeError unless URL parsing leaves the path as it is */
function checkBasePath(basePath: unknown): void {
  const isPath = typeof basePath === 'string' && /^(?:\/[^/?#{}]+)+$/.test(basePath);
  if (isPath && new URL(`http://localhost${basePath}`).pathname === basePath) return;
  throw new TypeError('basePath must be a path such as /api/admin/webhooks, without a trailing slash');
}
