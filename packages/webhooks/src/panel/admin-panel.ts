import { AdminProblem } from '../admin/admin-problem.ts';
import { requireAdmin } from '../admin/authorize.ts';
import { SECURITY_HEADERS } from './content-security.ts';
import { appDocument, plainDocument } from './page.ts';
import { loadPanelAssets, type PanelAsset } from './panel-assets.ts';
import { type AdminPanelOptions, type PanelSettings, panelSettings } from './panel-options.ts';

/** The admin panel as a Web fetch handler that says where it lives. */
export interface AdminPanel {
  (request: Request): Promise<Response>;
  readonly basePath: string;
}

/**
 * Makes the pages through which administrators manage webhooks: a list at `basePath`, one webhook with its history
 * at `basePath/:id`. They are built into this package and need nothing of the host but the API below `apiPath`.
 *
 * The pages carry no data. They load no file and ask no server but this origin's, under a Content-Security-Policy
 * without any `unsafe-` word. Files have hashed names and may be kept for ever; pages are never stored. GET and HEAD
 * alone; a trailing slash is redirected away.
 *
 * ```ts
 * app.use(mount(createAdminPanel({ apiPath: '/api/admin/webhooks', loginUrl: '/admin/login' })));
 * ```
 *
 * @throws TypeError for an option that is missing, unknown or of a wrong shape
 */
export function createAdminPanel(options: AdminPanelOptions): AdminPanel {
  const settings = panelSettings(options);
  const { basePath, authorize } = settings;

  async function respond(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return notFound(basePath);
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed();
    if (authorize !== undefined) {
      try {
        await requireAdmin(request, authorize);
      } catch (error) {
        return refusal(error, settings, pathname + search);
      }
    }
    const path = pathname.slice(basePath.length + 1);
    if (/[^/]\/$/.test(pathname) && isPage(path.slice(0, -1))) {
      return redirect(308, pathname.slice(0, -1) + search);
    }
    const { page, files } = await loadPanelAssets();
    if (isPage(path)) return document(200, appDocument(settings, page));
    const asset = files.get(path);
    if (asset === undefined) return notFound(basePath);
    return assetResponse(request, asset, authorize === undefined ? 'public' : 'private');
  }

  async function handle(request: Request): Promise<Response> {
    const response = await respond(request);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  return Object.assign(handle, { basePath });
}

/** The list, or the id of a webhook in its one spelling. */
function isPage(path: string): boolean {
  return path === '' || /^[1-9]\d{0,15}$/.test(path);
}

async function assetResponse(
  request: Request,
  asset: PanelAsset,
  visibility: 'public' | 'private',
): Promise<Response> {
  const isGzipped = acceptsGzip(request.headers.get('accept-encoding'));
  const etag = `"${asset.etag}${isGzipped ? '-gzip' : ''}"`;
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': asset.type,
    'Cache-Control': `${visibility}, max-age=31536000, immutable`,
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
  };
  if (namesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = isGzipped ? await asset.gzipped() : asset.bytes;
  return new Response(bytes, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
}

/** RFC 9110 section 12.5.3, for the one coding there is. */
function acceptsGzip(acceptEncoding: string | null): boolean {
  const codings = (acceptEncoding ?? '').toLowerCase().split(',');
  return codings.some((coding) => /^\s*gzip\s*(?:;\s*q=(?:1(?:\.0*)?|0\.0*[1-9]\d*)\s*)?$/.test(coding));
}

function namesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const names = (ifNoneMatch ?? '').split(',').map((name) => name.trim().replace(/^W\//, ''));
  return names.includes(etag) || names.includes('*');
}

/** Somebody who may not see the pages: sent to the log-in where there is one and a log-in would help. */
function refusal(error: unknown, settings: PanelSettings, target: string): Response {
  const status = error instanceof AdminProblem ? error.status : 503;
  if (status === 401 && settings.loginUrl !== undefined) {
    const { loginUrl } = settings;
    const separator = loginUrl.includes('?') ? '&' : '?';
    return redirect(303, `${loginUrl}${separator}return_to=${encodeURIComponent(target)}`);
  }
  if (status === 401)
    return document(401, plainDocument('Not logged in', 'Log in, then open this page again.'));
  if (status === 403) {
    return document(403, plainDocument('Not allowed', 'Your account may not manage webhooks.'));
  }
  const text = 'It cannot be checked right now who you are. Try again in a moment.';
  return document(503, plainDocument('Try again', text), { 'Retry-After': '5' });
}

function notFound(basePath: string): Response {
  const link = { href: basePath, text: 'Go to the list of webhooks' };
  return document(404, plainDocument('Not found', 'There is no such page here.', link));
}

function methodNotAllowed(): Response {
  return document(405, plainDocument('Not possible', 'This page can only be read.'), { Allow: 'GET, HEAD' });
}

function redirect(status: 303 | 308, location: string): Response {
  const headers = { ...SECURITY_HEADERS, 'Cache-Control': 'no-store', Location: location };
  return new Response(null, { status, headers });
}

function document(status: number, html: string, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = new TextEncoder().encode(html);
  return new Response(bytes, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
