import type { PanelConfig } from '../panel-config.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import type { Session } from './session.ts';

/** One request to the API. The path is relative to the API's. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Parameters that are undefined or '' are omitted. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /**
   * The `updated_at` of the expected state: 412 `precondition_failed` if the webhook has changed
   * since.
   */
  readonly expectedUpdatedAt?: string;
  readonly signal?: AbortSignal;
  /**
   * True if no user asked for it: it neither keeps a session alive nor leads to the log-in page.
   * Default: false.
   */
  readonly isBackground?: boolean;
}

/**
 * Sends a request and returns its JSON, undefined for an answer without a body. Rejects with an
 * `ApiError`.
 */
export type ApiClient = <Result>(request: ApiRequest) => Promise<Result>;

/**
 * Never settles. Requests return it while the browser goes to the log-in page, so that no error
 * flashes up.
 */
const NEVER = new Promise<never>(() => undefined);

/** Longer than the API takes for anything: then no answer comes. */
const TIMEOUT_MS = 30_000;

export function createApiClient({ apiPath }: PanelConfig, session: Session): ApiClient {
  async function send(request: ApiRequest): Promise<Response> {
    const { method = 'GET', path, query, body, expectedUpdatedAt, signal } = request;
    try {
      return await fetch(`${apiPath}${path}${queryText(query)}`, {
        method,
        credentials: 'same-origin',
        headers: {
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
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

  return async (request) => {
    let response = await send(request);
    const isBackground = request.isBackground === true;
    if (response.status === 401 && !isBackground && (await session.renew())) response = await send(request);
    if (response.status === 401) {
      if (!isBackground && session.logIn((request.method ?? 'GET') === 'GET')) return NEVER;
      throw new ApiError(401, 'session_ended');
    }
    session.confirm();
    if (!response.ok) throw await apiErrorOf(response);
    if (response.status === 204) return undefined;
    return response.json().catch(() => {
      throw new ApiError(response.status, 'unexpected');
    });
  };
}

function queryText(query: ApiRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
