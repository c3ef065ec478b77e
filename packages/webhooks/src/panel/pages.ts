import { AdminProblem } from '../admin/admin-problem.ts';
import { fetchHandler } from '../answer-request.ts';
import { isEventName } from '../events/event-name.ts';
import { describeError } from '../logging/redacted-error.ts';
import { securityHeaders } from './content-security.ts';
import type { PageLanguage } from './languages/languages.ts';
import { appDocument, plainDocument } from './page.ts';
import { CATALOG_PAGE, DELIVERIES_PAGE, LOGIN_PAGE, type PagesSettings } from './pages-options.ts';
import {
  CONTENT_CODINGS,
  type ContentCoding,
  loadPanelAssets,
  type PageFiles,
  type PanelAsset,
} from './panel-assets.ts';

/** Pages as a Web fetch handler with the path that it serves. */
interface Pages {
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/**
 * Serves the pages of one build: the panel and the portal are both this. A page shows what the API
 * at `apiPath` answers, and nothing else.
 */
export function createPages(settings: PagesSettings): Pages {
  const { basePath, guard, looks, languages } = settings;
  const security = securityHeaders(settings.frameAncestors);
  async function respond(request: Request, native: unknown): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const language = () => languages.of(request, native);
    if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) {
      return notFound(settings, await language());
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return methodNotAllowed(settings, await language());
    }
    const path = pathname.slice(basePath.length + 1);
    const { page, files } = await loadPanelAssets();
    // The files are everybody's: a page whose session has ended still loads those that say so.
    const file = files.get(path);
    if (file !== undefined) return assetResponse(request, file, settings.compress);
    if (guard !== undefined && !isOfLogin(path, settings)) {
      try {
        await guard(request, native);
      } catch (error) {
        const isFramed = request.headers.get('sec-fetch-dest') === 'iframe';
        return refusal(error, settings, await language(), { target: pathname + search, isFramed });
      }
    }
    if (/[^/]\/$/.test(pathname) && isPage(path.slice(0, -1), settings)) {
      return redirect(308, pathname.slice(0, -1) + search);
    }
    if (isPage(path, settings)) {
      const [look, texts] = await Promise.all([looks.of(request, native), language()]);
      return document(200, appDocument(settings, texts, { ...page, look }, scriptsOf(path, page)));
    }
    const stylesheet = await looks.stylesheet(path, request, native);
    if (stylesheet === undefined) return notFound(settings, await language());
    return assetResponse(request, stylesheet, settings.compress);
  }

  async function handle(request: Request, native?: unknown): Promise<Response> {
    const response = await respond(request, native);
    for (const [name, value] of Object.entries(security)) response.headers.set(name, value);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  return fetchHandler(basePath, handle);
}

/** True for the pages with a name, and for the id of a webhook in its only spelling. */
function isPage(path: string, { loginEndpoint }: PagesSettings): boolean {
  if (path === LOGIN_PAGE) return loginEndpoint !== undefined;
  const isNamed = path === '' || path === DELIVERIES_PAGE || path === CATALOG_PAGE;
  return isNamed || isEventPage(path) || /^[1-9]\d{0,15}$/.test(path);
}

/** True for the page of one event, known or not. */
function isEventPage(path: string): boolean {
  const prefix = `${CATALOG_PAGE}/`;
  return path.startsWith(prefix) && isEventName(path.slice(prefix.length));
}

/** The scripts that the app imports for a page, beside its entry. */
function scriptsOf(path: string, { scripts }: PageFiles): readonly string[] {
  if (path === '') return scripts.list;
  if (path === DELIVERIES_PAGE) return scripts.deliveries;
  if (path === CATALOG_PAGE || isEventPage(path)) return scripts.catalog;
  return path === LOGIN_PAGE ? scripts.logIn : scripts.detail;
}

/** Visitors of the panel's log-in page have no credential yet; it needs its stylesheet. */
function isOfLogin(path: string, { loginEndpoint }: PagesSettings): boolean {
  return loginEndpoint !== undefined && (path === LOGIN_PAGE || path.startsWith('assets/'));
}

async function assetResponse(request: Request, asset: PanelAsset, compress: boolean): Promise<Response> {
  const coding = compress ? acceptedCoding(request.headers.get('accept-encoding')) : undefined;
  const etag = `"${asset.etag}${coding === undefined ? '' : `-${coding}`}"`;
  const headers = {
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
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
 * page; in a frame it links to an application's own, which opens outside.
 */
function refusal(
  error: unknown,
  settings: PagesSettings,
  language: PageLanguage,
  { target, isFramed }: { readonly target: string; readonly isFramed: boolean },
): Response {
  const { status, cause } = error instanceof AdminProblem ? error : { status: 503, cause: error };
  if (status === 503) settings.logger.error({ error: describeError(cause) }, 'authorize of a page failed');
  const texts = language.document;
  if (status === 401 && settings.loginUrl !== undefined) {
    const { loginUrl, loginEndpoint } = settings;
    const separator = loginUrl.includes('?') ? '&' : '?';
    const href = `${loginUrl}${separator}return_to=${encodeURIComponent(target)}`;
    if (!isFramed || loginEndpoint !== undefined) return redirect(303, href);
    const link = { href, text: texts.toLogIn, target: '_blank' };
    return document(401, plainDocument(settings, language, texts.notLoggedInTitle, texts.notLoggedIn, link));
  }
  const plain = (title: string, text: string) => plainDocument(settings, language, title, text);
  if (status === 401) return document(401, plain(texts.notLoggedInTitle, texts.notLoggedIn));
  if (status === 403) return document(403, plain(texts.notAllowedTitle, texts.notAllowed));
  return document(503, plain(texts.tryAgainTitle, texts.tryAgain), { 'Retry-After': '5' });
}

function notFound(settings: PagesSettings, language: PageLanguage): Response {
  const { notFoundTitle, notFound: text, toList } = language.document;
  const link = { href: settings.basePath, text: toList };
  return document(404, plainDocument(settings, language, notFoundTitle, text, link));
}

function methodNotAllowed(settings: PagesSettings, language: PageLanguage): Response {
  const { notPossibleTitle, notPossible } = language.document;
  const allowed = { Allow: 'GET, HEAD' };
  return document(405, plainDocument(settings, language, notPossibleTitle, notPossible), allowed);
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
