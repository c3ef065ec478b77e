import { logSafeText } from '../text/log-safe-text.ts';
import { type AuthRequest, headerValues } from './auth-request.ts';

const MAX_METHOD_LENGTH = 32;
/** The longest path, host or origin that is told. */
const MAX_FACT_LENGTH = 256;

/** The scheme and the authority of an absolute URL, user info included. */
const ORIGIN_PART = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/**
 * A segment of a path that may be a token: a mailed link has its secret there. Identifiers of this
 * length go with it.
 */
const LIKE_A_TOKEN = /(?<=\/)(?=[^/]*\d)[^/]{24,}/g;

/** What events and log lines say of a request: no query, no header, no body. */
export interface RequestFacts {
  readonly method: string | undefined;
  /**
   * The path that the client asked for, without the query, at most 256 characters. Control
   * characters are replaced; a segment of 24 characters or more with a digit in it is `…`.
   */
  readonly path: string | undefined;
}

export function requestFacts(request: AuthRequest | undefined): RequestFacts {
  const url = request === undefined ? undefined : askedUrl(request);
  return {
    method: request?.method === undefined ? undefined : logSafeText(request.method, MAX_METHOD_LENGTH),
    path: url === undefined ? undefined : pathOf(url),
  };
}

/** What the cross-site check judges by: the headers that the browser and the proxy have set. */
export interface OriginFacts {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly secFetchSite: string | undefined;
}

export function originFacts({ headers }: AuthRequest): OriginFacts {
  const fact = (name: string) => {
    const values = headerValues(headers, name);
    return values.length === 0 ? undefined : logSafeText(values.join(', '), MAX_FACT_LENGTH);
  };
  return { origin: fact('origin'), host: fact('host'), secFetchSite: fact('sec-fetch-site') };
}

/** Express cuts the mount path off `url`, and keeps the whole in `originalUrl`. */
function askedUrl(request: AuthRequest): string | undefined {
  if ('originalUrl' in request && typeof request.originalUrl === 'string') return request.originalUrl;
  return request.url;
}

function pathOf(url: string): string {
  const [path = ''] = url.replace(ORIGIN_PART, '').split(/[?#]/, 1);
  return logSafeText(path.replace(LIKE_A_TOKEN, '…'), MAX_FACT_LENGTH);
}
