import { AdminProblem } from '../admin/admin-problem.ts';
import { requireAdmin } from '../admin/authorize.ts';
import { securityHeaders } from './content-security.ts';
import { appDocument, documentTexts, plainDocument } from './page.ts';
import {
  CONTENT_CODINGS,
  type ContentCoding,
  loadPanelAssets,
  type PageFiles,
  type PanelAsset,
} from './panel-assets.ts';
import {
  type AdminPanelOptions,
  CATALOG_PAGE,
  DELIVERIES_PAGE,
  LOGIN_PAGE,
  type PanelSettings,
  panelSettings,
} from './panel-options.ts';

/** The admin panel as a Web fetch handler with the path that it serves. */
export interface AdminPanel {
  /** @param native what `authorize` receives besides: `mount` gives the framework's own request */
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/**
 * Creates the pages through which administrators manage webhooks: a list at `basePath`, one
 * webhook with its history at `basePath/:id`, the deliveries of all webhooks at
 * `basePath/deliveries`, and the events at `basePath/events`. With `loginEndpoint` there is a
 * log-in page, too, at `basePath/login`. They are built into this package and need only the API at
 * `apiPath`.
 *
 * The pages carry no data. They load files from and send requests to this origin only, under a
 * Content-Security-Policy without any `unsafe-` keyword. Files have hashed names and may be cached
 * forever; pages are never stored. The handler answers GET and HEAD only, and redirects a trailing
 * slash away.
 *
 * ```ts
 * app.use(mount(createAdminPanel({ apiPath: '/api/admin/webhooks', loginEndpoint: '/api/admin/auth/login' })));
 * ```
 *
 * @throws TypeError for an option that is missing, unknown or malformed
 */
export function createAdminPanel(options: AdminPanelOptions): AdminPanel {
  const settings = panelSettings(options);
  const { basePath, authorize, looks } = settings;
  const security = securityHeaders(settings.frameAncestors);
  async function respond(request: Request, native: unknown): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return notFound(settings);
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(settings);
    const path = pathname.slice(basePath.length + 1);
    if (authorize !== undefined && isGuarded(path, settings)) {
      try {
        await requireAdmin(request, authorize, native);
      } catch (error) {
        return refusal(error, settings, pathname + search);
      }
    }
    if (/[^/]\/$/.test(pathname) && isPage(path.slice(0, -1), settings)) {
      return redirect(308, pathname.slice(0, -1) + search);
    }
    const { page, files } = await loadPanelAssets();
    if (isPage(path, settings)) {
      const look = await looks.of(request, native);
      return document(200, appDocument(settings, { ...page, look }, scriptsOf(path, page)));
    }
    const asset = files.get(path) ?? (await looks.stylesheet(path, request, native));
    if (asset === undefined) return notFound(settings);
    const visibility = isGuarded(path, settings) ? 'private' : 'public';
    return assetResponse(request, asset, visibility, settings.compress);
  }

  async function handle(request: Request, native?: unknown): Promise<Response> {
    const response = await respond(request, native);
    for (const [name, value] of Object.entries(security)) response.headers.set(name, value);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  return Object.assign(handle, { basePath });
}

/** True for the pages with a name, and for the id of a webhook in its only spelling. */
function isPage(path: string, { loginEndpoint }: PanelSettings): boolean {
  if (path === LOGIN_PAGE) return loginEndpoint !== undefined;
  const isNamed = path === '' || path === DELIVERIES_PAGE || path === CATALOG_PAGE;
  return isNamed || /^[1-9]\d{0,15}$/.test(path);
}

/** The scripts that the app imports for a page, beside its entry. */
function scriptsOf(path: string, { scripts }: PageFiles): readonly string[] {
  if (path === '') return scripts.list;
  if (path === DELIVERIES_PAGE) return scripts.deliveries;
  if (path === CATALOG_PAGE) return scripts.catalog;
  return path === LOGIN_PAGE ? scripts.logIn : scripts.detail;
}

/** Visitors of the panel's log-in page have no credential yet, and the page needs the files. */
function isGuarded(path: string, { authorize, loginEndpoint }: PanelSettings): boolean {
  const isOfLogin = path === LOGIN_PAGE || path.startsWith('assets/');
  return authorize !== undefined && !(isOfLogin && loginEndpoint !== undefined);
}

async function assetResponse(
  request: Request,
  asset: PanelAsset,
  visibility: 'public' | 'private',
  compress: boolean,
): Promise<Response> {
  const coding = compress ? acceptedCoding(request.headers.get('accept-encoding')) : undefined;
  const etag = `"${asset.etag}${coding === undefined ? '' : `-${coding}`}"`;
  const headers = {
    'Content-Type': asset.type,
    'Cache-Control': `${visibility}, max-age=31536000, immutable`,
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
  };
  if (namesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = coding === undefined ? asset.bytes : await asset.compressed(coding);
  return new Response(bytes, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
}

/**
 * The preferred of the codings that the request accepts, whatever their weights (RFC 9110 section
 * 12.5.3); undefined for none, and for those that only `*` names.
 */
function acceptedCoding(acceptEncoding: string | null): ContentCoding | undefined {
  const accepted = (acceptEncoding ?? '').toLowerCase().split(',').map(acceptedName);
  return CONTENT_CODINGS.find((coding) => accepted.includes(coding));
}

/** The name in one element of an Accept-Encoding; undefined if its weight is zero or malformed. */
function acceptedName(element: string): string | undefined {
  return /^\s*([a-z]+)\s*(?:;\s*q=(?:1(?:\.0*)?|0\.0*[1-9]\d*)\s*)?$/.exec(element)?.[1];
}

function namesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const names = (ifNoneMatch ?? '').split(',').map((name) => name.trim().replace(/^W\//, ''));
  return names.includes(etag) || names.includes('*');
}

/**
 * Answers a visitor who may not see the pages. If a log-in would help, it redirects to the log-in
 * page.
 */
function refusal(error: unknown, settings: PanelSettings, target: string): Response {
  const status = error instanceof AdminProblem ? error.status : 503;
  if (status === 401 && settings.loginUrl !== undefined) {
    const { loginUrl } = settings;
    const separator = loginUrl.includes('?') ? '&' : '?';
    return redirect(303, `${loginUrl}${separator}return_to=${encodeURIComponent(target)}`);
  }
  const texts = documentTexts(settings);
  if (status === 401) {
    return document(401, plainDocument(settings, texts.notLoggedInTitle, texts.notLoggedIn));
  }
  if (status === 403) return document(403, plainDocument(settings, texts.notAllowedTitle, texts.notAllowed));
  const retry = { 'Retry-After': '5' };
  return document(503, plainDocument(settings, texts.tryAgainTitle, texts.tryAgain), retry);
}

function notFound(settings: PanelSettings): Response {
  const { notFoundTitle, notFound: text, toList } = documentTexts(settings);
  const link = { href: settings.basePath, text: toList };
  return document(404, plainDocument(settings, notFoundTitle, text, link));
}

function methodNotAllowed(settings: PanelSettings): Response {
  const { notPossibleTitle, notPossible } = documentTexts(settings);
  const allowed = { Allow: 'GET, HEAD' };
  return document(405, plainDocument(settings, notPossibleTitle, notPossible), allowed);
}

function redirect(status: 303 | 308, location: string): Response {
  const headers = { 'Cache-Control': 'no-store', Location: location };
  return new Response(null, { status, headers });
}

function document(status: number, html: string, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = new TextEncoder().encode(html);
  return new Response(bytes, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
