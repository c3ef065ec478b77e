import type { PanelConfig } from '../panel-config.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import type { AnyRequest, ApiAnswer, ApiRequest, Method, PathOf } from './api-operation.ts';
import { exactJson } from './exact-json.ts';
import type { Session } from './session.ts';

/**
 * Sends a request as the API's OpenAPI document describes it, and returns its JSON, undefined for
 * an answer without a body. Rejects with an `ApiError`.
 */
export type ApiClient = <M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  request: ApiRequest<M, Path>,
) => Promise<ApiAnswer<M, Path>>;

/**
 * Never settles. Requests return it while the browser leaves the page, so that no error flashes up.
 */
const NEVER = new Promise<never>(() => undefined);

/** The page then says that the outcome is unknown. */
const TIMEOUT_MS = 30_000;

/** @param onReadOnly called for each response of an API that refuses every change */
export function createApiClient(
  { apiPath }: PanelConfig,
  session: Session,
  onReadOnly: (isReadOnly: boolean) => void,
): ApiClient {
  const isUserActive = watchUserActivity();

  async function send(method: Method, path: string, request: AnyRequest): Promise<Response> {
    const { params, query, body, expectedUpdatedAt, signal } = request;
    const user = session.user();
    try {
      return await fetch(`${apiPath}${pathText(path, params)}${queryText(query)}`, {
        method,
        credentials: 'same-origin',
        headers: {
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
          // Another user may have logged in in another tab.
          ...(user !== null && { 'Webhooks-User': user }),
          // Not the received ETag: a compressing proxy makes it weak, and a weak one never matches.
          ...(expectedUpdatedAt !== undefined && { 'If-Match': `"${expectedUpdatedAt}"` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'unreachable');
    }
  }

  return async (method, path, request) => {
    // What an open page reads again by itself is nobody's request either.
    const isBackground = request.isBackground === true || (method === 'GET' && !isUserActive());
    let response = await send(method, path, request);
    if (response.status === 401 && !isBackground && (await session.renew())) {
      response = await send(method, path, request);
    }
    if (response.status === 401) {
      if (!isBackground && session.logIn()) return NEVER;
      throw new ApiError(401, 'session_ended');
    }
    if (!session.confirm(response.headers.get('webhooks-user'))) return NEVER;
    // A successful response of a read-only API names the methods that are left. A gateway may name
    // others.
    const allow = response.headers.get('allow');
    if (response.ok) onReadOnly(allow !== null && !/P(OST|UT|ATCH)|DELETE/.test(allow));
    if (!response.ok) throw await apiErrorOf(response);
    if (response.status === 204) return undefined;
    try {
      return exactJson(await response.text());
    } catch {
      throw new ApiError(response.status, 'unexpected');
    }
  };
}

/** `/{id}/test` and `{ id: 7 }` → `/7/test`. */
function pathText(path: string, params: AnyRequest['params'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryText(query: AnyRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** For this long after what the user did, a request counts as the user's. */
const ACTIVITY_MS = 5_000;

/** What users do. Coming back to a page is among it; so is opening it, which is the start. */
const DOINGS = ['pointerdown', 'keydown', 'input', 'popstate', 'visibilitychange'];

/** Watches whether the user is doing something; returns a function that tells. */
function watchUserActivity(): () => boolean {
  let last = performance.now();
  const note = () => {
    last = performance.now();
  };
  for (const doing of DOINGS) addEventListener(doing, note, { capture: true, passive: true });
  return () => performance.now() - last < ACTIVITY_MS;
}
