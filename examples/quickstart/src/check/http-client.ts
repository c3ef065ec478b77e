/** The answer to a request. */
export interface Answer<T> {
  readonly status: number;
  /**
   * The JSON body, undefined if there was none. The step that reads a value from it checks the
   * value.
   */
  readonly json: T;
  readonly setCookies: readonly string[];
  /** Status and `code`, for people: `401 invalid_credentials`. */
  readonly summary: string;
}

/**
 * A client that keeps its cookies as a browser does. It sends each cookie to the cookie's path and
 * below.
 */
export interface HttpClient {
  get<T = unknown>(path: string): Promise<Answer<T>>;
  post<T = unknown>(path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
  put<T = unknown>(path: string, body: object): Promise<Answer<T>>;
  delete<T = unknown>(path: string): Promise<Answer<T>>;
}

const TIMEOUT_MS = 10_000;

/**
 * @param baseUrl called for each request, because an app that was restarted may listen elsewhere
 */
export function createHttpClient(baseUrl: () => string): HttpClient {
  const cookies = new Map<string, { readonly pair: string; readonly path: string }>();

  function keep(setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split('; ');
    const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice(5) ?? '/';
    const key = `${pair.split('=', 1)[0]} ${path}`;
    if (attributes.includes('Max-Age=0')) cookies.delete(key);
    else cookies.set(key, { pair, path });
  }

  function cookieHeader(pathname: string): Record<string, string> {
    const sent = [...cookies.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(`${path}/`),
    );
    return sent.length === 0 ? {} : { cookie: sent.map(({ pair }) => pair).join('; ') };
  }

  async function send<T>(method: string, path: string, body?: object, more: Record<string, string> = {}) {
    const url = new URL(path, baseUrl());
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url, {
      method,
      headers: { ...type, ...cookieHeader(url.pathname), ...more },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const setCookies = response.headers.getSetCookie();
    for (const cookie of setCookies) keep(cookie);
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    const summary = json?.code === undefined ? String(response.status) : `${response.status} ${json.code}`;
    return { status: response.status, json: json as T, setCookies, summary };
  }

  return {
    get: (path) => send('GET', path),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
  };
}
