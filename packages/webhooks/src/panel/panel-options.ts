import type { Authorize } from '../admin/authorize.ts';
import { refuseUnknownOptions } from '../options.ts';

/** What {@link createAdminPanel} takes. Paths are full paths as clients see them, prefixes of proxies included. */
export interface AdminPanelOptions {
  /** Where the pages are, without a trailing slash. Default: `/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /** Where `createAdminApi` answers on the same origin, such as `/api/admin/webhooks`. */
  readonly apiPath: string;
  /**
   * A path on the same origin to which the page sends one `POST` when the API answers 401: it renews the session's
   * cookies (the status endpoint of `@acme/auth`). A 2xx means: ask the API again. Default: none.
   */
  readonly statusUrl?: string | undefined;
  /**
   * Where to log in: a path, or an `http(s)` URL, without a fragment. The page goes there when the session has ended and adds the
   * parameter `return_to`: the path, with its query, of the page to come back to. Default: none, the page says so.
   */
  readonly loginUrl?: string | undefined;
  /**
   * Says who asks for a page, with the same contract as that of `createAdminApi`. The pages carry no data, so they
   * are public without it; the API decides about everything that is shown. Give it only where the credential reaches
   * the pages: a cookie of path `/api/admin` never reaches `/admin`.
   */
  readonly authorize?: Authorize | undefined;
}

/** The options with their defaults, known to be usable. */
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

/** @throws TypeError unless the path is one that URL parsing leaves as it is */
function checkPath(name: string, path: unknown, example: string): void {
  const isPath = typeof path === 'string' && /^(?:\/[^/?#]+)+$/.test(path);
  if (isPath && new URL(`http://localhost${path}`).pathname === path) return;
  throw new TypeError(`${name} must be a path such as ${example}, without a trailing slash`);
}

/** A path with, at most, a query: nothing that a browser would resolve to another host. */
function isLocalTarget(target: unknown): boolean {
  if (typeof target !== 'string' || !/^\/(?![/\\])[^#\\]*$/.test(target)) return false;
  const url = new URL(target, 'http://localhost');
  return `${url.pathname}${url.search}` === target;
}

function isWebUrl(target: unknown): boolean {
  return typeof target === 'string' && /^https?:\/\/[^/][^#]*$/.test(target) && URL.canParse(target);
}
