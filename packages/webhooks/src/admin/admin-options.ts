import type { Clock } from '../clock.ts';
import { fearlessLogger, type Logger, silentLogger } from '../logger.ts';
import { booleanOption, functionOption, refuseUnknownOptions, serviceOption } from '../options.ts';
import type { OnAudit } from './audit.ts';
import type { Authorize } from './authorize.ts';
import { trustedOriginSet } from './cross-site.ts';

/** What {@link createAdminApi} takes. */
export interface AdminApiOptions {
  /** Says who makes a request. There is no default: an open admin API cannot be made by leaving something out. */
  readonly authorize: Authorize;
  /** The full path as clients see it, without a trailing slash. Default: `/api/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /**
   * Origins whose pages may change things here with the user's cookies, beside the API's own, such as
   * `https://admin.example.com`. At most 64. Default: none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Whether every request that would change or send something is refused (403 `read_only`), whoever makes it.
   * Default: false.
   */
  readonly readOnly?: boolean | undefined;
  /** Told of every change: who did what to which webhook. Default: nobody is. */
  readonly onAudit?: OnAudit | undefined;
  /** The time of audit events. Default: `Date.now`. */
  readonly clock?: Clock | undefined;
  /**
   * Told of every request that failed on this side (5xx), without its body, query or credentials, and of an `onAudit`
   * that failed. Default: silent.
   */
  readonly logger?: Logger | undefined;
}

const OPTION_NAMES: readonly (keyof AdminApiOptions)[] = [
  'authorize',
  'basePath',
  'trustedOrigins',
  'readOnly',
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
  const { basePath = '/api/admin/webhooks', logger = silentLogger } = options;
  checkBasePath(basePath);
  return {
    authorize: options.authorize,
    basePath,
    trustedOrigins: trustedOriginSet(options.trustedOrigins ?? []),
    readOnly: booleanOption('readOnly', options.readOnly, false),
    onAudit: functionOption<OnAudit>('onAudit', options.onAudit, () => {}),
    clock: functionOption('clock', options.clock, Date.now),
    logger: fearlessLogger(serviceOption('logger', logger, ['debug', 'info', 'warn', 'error'])),
  };
}

/** @throws TypeError unless URL parsing leaves the path as it is */
function checkBasePath(basePath: unknown): void {
  const isPath = typeof basePath === 'string' && /^(?:\/[^/?#{}]+)+$/.test(basePath);
  if (isPath && new URL(`http://localhost${basePath}`).pathname === basePath) return;
  throw new TypeError('basePath must be a path such as /api/admin/webhooks, without a trailing slash');
}
