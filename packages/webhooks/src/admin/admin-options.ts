import { functionOption } from '../../../toolkit/src/options.ts';
import type { DescribeActors } from './actor-names.ts';
import { type ApiOptions, readApiOptions } from './api-options.ts';
import type { Authorize } from './authorize.ts';

/** What {@link createAdminApi} takes. */
export interface AdminApiOptions extends ApiOptions {
  /**
   * Identifies the administrator. There is no default: omitting an option never opens the API.
   */
  readonly authorize: Authorize;
  /** The full path as clients see it, without a trailing slash. Default: `/api/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /** Returns the names behind uids, for `created_by_name`. Default: answers have no names. */
  readonly describeActors?: DescribeActors | undefined;
}

/**
 * Reads the options of `createAdminApi`.
 *
 * @throws TypeError naming the option and its bounds
 */
export function readAdminOptions(options: AdminApiOptions) {
  const api = { name: 'createAdminApi', others: ['describeActors'], basePath: '/api/admin/webhooks' };
  const { authorize, describeActors } = options ?? {};
  return {
    ...readApiOptions(options, api),
    authorize,
    describeActors: describeActors && functionOption('describeActors', describeActors, describeActors),
  };
}
