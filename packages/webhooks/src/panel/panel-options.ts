import type { Authorize } from '../admin/authorize.ts';
import { refuseUnknownOptions } from '../options.ts';

/**
 * Options of {@link createAdminPanel}. Paths are full paths as clients see them, including prefixes
 * of proxies.
 */
export interface AdminPanelOptions {
  /** The path of the pages, without a trailing slash. Default: `/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /** The path of `createAdminApi` on the same origin, such as `/api/admin/webhooks`. */
  readonly apiPath: string;
  /**
   * A path on the same origin that renews the session's cookies, such as the status endpoint of
   * `@acme/auth`. The page sends it one `POST` when the API answers 401, and repeats its request
   * after a 2xx. Default: none.
   */
  readonly statusUrl?: string | undefined;
  /**
   * The log-in page: a path, or an `http(s)` URL, without a fragment. The page goes there when the
   * session has ended, and adds the parameter `return_to`: the path and query of the page to return
   * to. Default: none; the page then only says that the session has ended.
   */
  readonly loginUrl?: string | undefined;
  /**
   * Identifies the visitor of a page, under the same contract as in `createAdminApi`. Without it
   * the pages are public, because they carry no data: the API authorizes everything that they show.
   * Pass it only if the credential reaches the pages: a cookie of path `/api/admin` never reaches
   * `/admin`.
   */
  readonly authorize?: Authorize | undefined;
}

/** The validated options, with defaults applied. */
export interface PanelSettings extends AdminPanelOptions {
  readonly basePath: string;
}

const OPTION_NAMES: readonly (keyof AdminPanelOptions)[] = [
  'basePath',
  'apiPath',
  'statusUrl',
  'loginUrl',
  'authorize',
];

/** @throws TypeError naming the option and what it must be */
export function panelSettings(options: AdminPanelOptions): PanelSettings {
  refuseUnknownOptions('createAdminPanel', options, OPTION_NAMES);
  const { basePath = '/admin/webhooks', apiPath, statusUrl, loginUrl, authorize } = options;
  checkPath('basePath', basePath, '/admin/webhooks');
  checkPath('apiPath', apiPath, '/api/admin/webhooks');
  if (statusUrl !== undefined && !isLocalTarget(statusUrl)) {
    throw new TypeError('statusUrl must be a path on the same origin such as /api/admin/auth/status');
  }
  if (loginUrl !== undefined && !isLocalTarget(loginUrl) && !isWebUrl(loginUrl)) {
    throw new TypeError(
      'loginUrl must be a path such as /admin/login, or an http or https URL, without a fragment',
    );
  }
  if (authorize !== undefined && typeof authorize !== 'function') {
    throw new TypeError('authorize must be a function that says who makes a request');
  }
  return { basePath, apiPath, statusUrl, loginUrl, authorize };
}

/** @throws TypeError unless URL parsing leaves the path unchanged */
function checkPath(name: string, path: unknown, example: string): void {
  const isPath = typeof path === 'string' && /^(?:\/[^/?#]+)+$/.test(path);
  if (isPath && new URL(`http://localhost${path}`).pathname === path) return;
  throw new TypeError(`${name} must be a path such as ${example}, without a trailing slash`);
}

/** True for a path, with or without a query, that no browser resolves to another host. */
function isLocalTarget(target: unknown): boolean {
  if (typeof target !== 'string' || !/^\/(?![/\\])[^#\\]*$/.test(target)) return false;
  const url = new URL(target, 'http://localhost');
  return `${url.pathname}${url.search}` === target;
}

function isWebUrl(target: unknown): boolean {
  return typeof target === 'string' && /^https?:\/\/[^/][^#]*$/.test(target) && URL.canParse(target);
}
