import type { IncomingMessage } from 'node:http';
import { AuthError } from '../errors.ts';
import { parsedBody, type RequestBody, unreadBody } from './node-body.ts';

/** A request of Node's `http` or `http2`, as frameworks hand it on. */
export type NodeRequest = IncomingMessage & {
  /** The request target before a framework cut its mount path off (Express, Connect). */
  readonly originalUrl?: string;
  /** What a body parser left, where one ran before. */
  readonly body?: unknown;
  /** The client's address by Express' setting `trust proxy`. */
  readonly ip?: string | undefined;
};

/** A name, IPv4 or bracketed IPv6 address, and a port: RFC 9112 section 3.2, less what no client sends. */
const HOST_FORM = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** A `Request` refuses a body on these. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The path that a request asks for, normalised as a URL parser does (`/a/%2e%2e/b` is `/b`), so that whoever routes
 * and the handler behind mean the same. '' for a target without a path (`OPTIONS *`).
 */
export function pathOf(incoming: NodeRequest): string {
  return targetUrl(incoming, 'http://localhost')?.pathname ?? '';
}

/**
 * The Web `Request` for a Node one. Its headers are those of `incoming.headers`: what a middleware took away or set
 * there counts. Its body streams at the reader's pace; where a parser ran before, what it left is written again.
 *
 * Scheme and host of the URL are what the client and the socket say, and not to be trusted.
 *
 * @throws AuthError `request_invalid` for a Host, target, method or header that no `Request` can carry
 */
export function toWebRequest(
  incoming: NodeRequest,
  signal: AbortSignal,
  source?: AsyncIterable<Uint8Array>,
): Request {
  const url = targetUrl(incoming, originOf(incoming));
  if (url === undefined) throw new AuthError('request_invalid', 'The request target is malformed');
  const method = incoming.method ?? 'GET';
  const body = BODILESS.has(method) ? undefined : bodyOf(incoming, source);
  try {
    return new Request(url, {
      method,
      headers: headersOf(incoming, body?.isRewritten ?? false),
      signal,
      ...(body === undefined ? {} : { body: body.content, duplex: 'half' }),
    });
  } catch (cause) {
    // TRACE, which the Fetch standard forbids, or a header that only a lenient parser lets through.
    throw new AuthError('request_invalid', 'The method or a header cannot be served', { cause });
  }
}

function targetUrl(incoming: NodeRequest, origin: string): URL | undefined {
  const target = incoming.originalUrl ?? incoming.url ?? '';
  // Never resolved against the origin: `//host/path` is a path here, and not another authority.
  if (target.startsWith('/')) return parseUrl(origin + target);
  const absolute = parseUrl(target);
  if (absolute === undefined || !/^https?:$/.test(absolute.protocol)) return undefined;
  return parseUrl(origin + absolute.pathname + absolute.search);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function originOf(incoming: NodeRequest): string {
  const authority = incoming.headers[':authority'];
  // HTTP/1.0 needs no Host; without one there is nothing to distrust.
  const host = incoming.headers.host ?? (typeof authority === 'string' ? authority : 'localhost');
  const origin = `${isEncrypted(incoming.socket) ? 'https' : 'http'}://${host}`;
  if (HOST_FORM.test(host) && URL.canParse(origin)) return origin;
  throw new AuthError('request_invalid', 'The Host header is malformed');
}

function isEncrypted(socket: object): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

function headersOf(incoming: NodeRequest, isRewritten: boolean): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    // They describe the bytes on the wire, which the body no longer has.
    if (isRewritten && ['content-length', 'content-encoding', 'transfer-encoding'].includes(name)) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  // Node shows the first of several; two credentials are none, and a handler has to see that there are two.
  const [first, ...others] = incoming.headersDistinct?.authorization ?? [];
  if (headers.get('authorization') === first) {
    for (const other of others) headers.append('authorization', other);
  }
  return headers;
}

function bodyOf(incoming: NodeRequest, source?: AsyncIterable<Uint8Array>): RequestBody | undefined {
  if (source !== undefined && source !== incoming) return unreadBody(incoming, source);
  // A stream that somebody has read is gone; one that gave nobody a byte is the truth, whatever a parser preset.
  if (incoming.readableDidRead) return parsedBody(incoming.body);
  return incoming.readableEnded ? undefined : unreadBody(incoming);
}
