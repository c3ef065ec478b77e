import type { PanelConfig } from '../panel-config.ts';
import { ApiError, apiErrorOf } from './api-error.ts';
import type { Session } from './session.ts';

/** One request to the API, below its path. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Parameters that are undefined or '' are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** The `updated_at` of the state for which the request is made: 412 `precondition_failed` where it is over. */
  readonly expectedUpdatedAt?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request and gives its JSON, undefined for an answer without one. Rejects with an `ApiError`. */
export type ApiClient = <Result>(request: ApiRequest) => Promise<Result>;

/** Requests that never come back while the browser leaves for the log-in: nothing flashes up meanwhile. */
const NEVER = new Promise<never>(() => undefined);

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
          // Not the ETag that came: a proxy that compresses answers makes it a weak one, which matches nothing.
          ...(expectedUpdatedAt !== undefined && { 'If-Match': `"${expectedUpdatedAt}"` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'unreachable');
    }
  }

  return async (request) => {
    let response = await send(request);
    if (response.status === 401 && (await session.renew())) response = await send(request);
    if (response.status === 401) {
      if (session.logIn((request.method ?? 'GET') === 'GET')) return NEVER;
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
