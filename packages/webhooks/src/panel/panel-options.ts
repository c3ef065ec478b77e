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
   * A path on the same origin that logs in, such as the log-in endpoint of `@acme/auth`. The panel
   * then has a log-in page of its own at `basePath/login`, which POSTs `{ login, password }` there
   * as JSON. The page and the panel's files are public, also with `authorize`. Not together with
   * `loginUrl`. Default: none.
   */
  readonly loginEndpoint?: string | undefined;
  /**
   * Identifies the visitor of a page, under the same contract as in `createAdminApi`. Without it
   * the pages are public, because they carry no data: the API authorizes everything that they show.
   * Pass it only if the credential reaches the pages: a cookie of path `/api/admin` never reaches
   * `/admin`.
   */
  readonly authorize?: Authorize | undefined;
  /**
   * Whether files are sent compressed to clients that accept it. False for a framework that
   * compresses responses itself and drops their `Content-Encoding`, as Next does. Default: true.
   */
  readonly compress?: boolean | undefined;
}

/** The validated options, with defaults applied. */
export interface PanelSettings extends AdminPanelOptions {
  readonly basePath: string;
  readonly compress: boolean;
  /** With `loginEndpoint`: the panel's own log-in page. */
  readonly loginUrl: string | undefined;
}

/** The path of the panel's own log-in page, relative to the base path. */
export const LOGIN_PAGE = 'login';

const OPTION_NAMES: readonly (keyof AdminPanelOptions)[] = [
  'basePath',
  'apiPath',
  'statusUrl',
  'loginUrl',
  'loginEndpoint',
  'authorize',
  'compress',
];

/** @throws TypeError naming the option and what it must be */
export function panelSettings(options: AdminPanelOptions): PanelSettings {
  refuseUnknownOptions('createAdminPanel', options, OPTION_NAMES);
  const {
    basePath = '/admin/webhooks',
    apiPath,
    statusUrl,
    loginEndpoint,
    authorize,
    compress = true,
  } = options;
  checkPath('basePath', basePath, '/admin/webhooks');
  checkPath('apiPath', apiPath, '/api/admin/webhooks');
  if (statusUrl !== undefined && !isLocalTarget(statusUrl)) {
    throw new TypeError('statusUrl must be a path on the same origin such as /api/admin/auth/status');
  }
  if (authorize !== undefined && typeof authorize !== 'function') {
    throw new TypeError('authorize must be a function that says who makes a request');
  }
  if (typeof compress !== 'boolean') throw new TypeError('compress must be true or false');
  const loginUrl = loginUrlOf(options, basePath);
  return { basePath, apiPath, statusUrl, loginUrl, loginEndpoint, authorize, compress };
}

/** @throws TypeError for a log-in page or endpoint that cannot be meant, or for both */
function loginUrlOf({ loginUrl, loginEndpoint }: AdminPanelOptions, basePath: string): string | undefined {
  if (loginUrl !== undefined && !isLocalTarget(loginUrl) && !isWebUrl(loginUrl)) {
    throw new TypeError(
      'loginUrl must be a path such as /admin/login, or an http or https URL, without a fragment',
    );
  }
  if (loginEndpoint === undefined) return loginUrl;
  if (loginUrl !== undefined) {
    throw new TypeError(
      'loginUrl and loginEndpoint exclude each other: loginUrl is a page of yours, loginEndpoint is for the page of the panel',
    );
  }
  const loginPage = `${basePath}/${LOGIN_PAGE}`;
  if (!isLocalTarget(loginEndpoint) || loginEndpoint.split('?', 1)[0] === loginPage) {
    throw new TypeError(
      `loginEndpoint must be a path on the same origin such as /api/admin/auth/login, and not that of the page, ${loginPage}`,
    );
  }
  return loginPage;
}

/** @throws TypeError unless URL parsing leaves the path unchanged */
function checkPath(name: string, path: unknown, example: string): void {
  const isPath = typeof path === 'string' && /^(?:\/[^/?#]+)+$/.test(path);
  if (isPath && new URL(`http://localhost${path}`).pathname === path) return;
  throw new TypeError(`${name} must be a path such as ${example}, without a trailing slash`);
}

/** True for a path, with or without a query, that no browser resolves to another host. */
function isLocalTarget(target: unknown): target is string {
  if (typeof target !== 'string' || !/^\/(?![/\\])[^#\\]*$/.test(target)) return false;
  const url = new URL(target, 'http://localhost');
  return `${url.pathname}${url.search}` === target;
}

function isWebUrl(target: unknown): boolean {
  return typeof target === 'string' && /^https?:\/\/[^/][^#]*$/.test(target) && URL.canParse(target);
}
