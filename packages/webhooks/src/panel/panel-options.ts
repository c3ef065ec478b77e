import { type Authorize, requireAdmin } from '../admin/authorize.ts';
import { isLocalTarget } from './local-target.ts';
import { LOGIN_PAGE, type PagesOptions, type PagesSettings, readPagesOptions } from './pages-options.ts';

/** Options of {@link createAdminPanel}. */
export interface AdminPanelOptions extends PagesOptions {
  /** The path of the pages, without a trailing slash. Default: `/admin/webhooks`. */
  readonly basePath?: string | undefined;
  /**
   * The path of `createAdminApi` on the same origin, such as `/api/admin/webhooks`. Not `basePath`,
   * nor below or above it.
   */
  readonly apiPath: string;
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
}

/** @throws TypeError naming the option and what it must be */
export function panelSettings(options: AdminPanelOptions): PagesSettings {
  const settings = readPagesOptions(options, {
    name: 'createAdminPanel',
    others: ['loginEndpoint'],
    basePath: '/admin/webhooks',
    apiPath: '/api/admin/webhooks',
  });
  const { authorize } = options;
  return {
    ...settings,
    ...logInSettings(options, settings.basePath),
    guard: authorize && ((request, native) => requireAdmin(request, authorize, native)),
  };
}

/** @throws TypeError for an endpoint that cannot be meant, and for one beside a log-in page */
function logInSettings({ loginUrl, loginEndpoint }: AdminPanelOptions, basePath: string) {
  if (loginEndpoint === undefined) return { loginUrl };
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
  return { loginUrl: loginPage, loginEndpoint };
}
