import type { IncomingMessage } from 'node:http';
import { consumedBody } from '../consumed-body.ts';
import { parseUrl } from '../parse-url.ts';
import {
  type Chunk,
  hasBody,
  parsedBodyOf,
  type RequestBody,
  replacedBodyOf,
  unreadBodyOf,
} from './node-body.ts';
import { isPlainPath } from './plain-path.ts';
import { sentValues } from './sent-values.ts';
import { UnusableRequestError } from './unusable-request.ts';
import { WIRE_HEADERS } from './wire-headers.ts';

/** A request of Node's `http` or `http2`, as frameworks pass it on. */
export type NodeRequest = IncomingMessage & {
  /** The request target before a framework cut its mount path off (Express, Connect). */
  readonly originalUrl?: string;
  /** The result of a body parser, if one ran before. */
  readonly body?: unknown;
  /** Whether a parser of Express has made the body. */
  readonly _body?: unknown;
  /** The client's address by Express' setting `trust proxy`. */
  readonly ip?: string | undefined;
};

/** The parts of a Web `Request` that come from outside the Node request. */
export interface RequestExtras {
  /** Becomes `request.signal`. */
  readonly signal: AbortSignal;
  /** What the framework routed by. Default: the target that the client sent. */
  readonly target?: string;
  /** A stream with which a framework replaced the request itself. */
  readonly payload?: AsyncIterable<Chunk> | undefined;
}

/**
 * A host name, IPv4 or bracketed IPv6 address, and a port. RFC 9112 section 3.2 also allows forms
 * that no client sends; they are left out.
 */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Requests whose body is not read: `Request` refuses one on GET and HEAD. */
const BODILESS = ['GET', 'HEAD'];

/** Returns the target that the client sent: Express and Connect cut mount paths off `url`. */
export function targetOf({ originalUrl, url }: NodeRequest): string {
  return originalUrl ?? url ?? '';
}

/**
 * Returns the path that a request target asks for, so that routing and the handler see the same
 * one. Returns '' for `OPTIONS *`, which asks for no path.
 *
 * Returns undefined for a path that URL parsing would rewrite (`/a/../b` and `/a/%2e%2e/b` to
 * `/b`). The framework's own routing has taken it for another path, so it belongs to no handler.
 */
export function pathOf(target: string): string | undefined {
  const pathname = targetUrl(target, 'http://localhost')?.pathname;
  if (pathname === undefined) return '';
  return isPlainPath(target, pathname) ? pathname : undefined;
}

/**
 * Creates the Web `Request` for a Node request. It takes the headers from `incoming.headers`, so a
 * header that a middleware removed or set there counts. The body streams as fast as its reader
 * reads. If a body parser ran before, its result is written as JSON again. If something consumed
 * the body and left no result, reading it fails with a ConsumedBodyError.
 *
 * The client and the socket determine the URL's scheme and host: a handler must not trust them.
 *
 * @throws UnusableRequestError for a Host, target or method that no `Request` can carry
 */
export function toWebRequest(
  incoming: NodeRequest,
  { signal, payload, target = targetOf(incoming) }: RequestExtras,
): Request {
  const url = targetUrl(target, originOf(incoming));
  if (url === undefined) throw new UnusableRequestError('The request target is malformed.');
  const method = incoming.method ?? 'GET';
  const body = BODILESS.includes(method) ? undefined : bodyOf(incoming, payload);
  try {
    const headers = headersOf(incoming, body?.reserialized ?? false);
    appendHiddenAuthorizations(headers, incoming);
    return new Request(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: body.content, duplex: 'half' }),
    });
  } catch (cause) {
    // The method is TRACE, which the Fetch standard forbids, or a lenient parser let a bad header
    // value through.
    throw new UnusableRequestError('The method or a header cannot be served.', { cause });
  }
}

function targetUrl(target: string, origin: string): URL | undefined {
  // Never resolve it against the origin: `//host/path` is a path here, not another authority.
  if (target.startsWith('/')) return parseUrl(origin + target);
  const absolute = parseUrl(target);
  if (absolute === undefined || !/^https?:$/.test(absolute.protocol)) return undefined;
  return parseUrl(origin + absolute.pathname + absolute.search);
}

function originOf(incoming: NodeRequest): string {
  const authority = incoming.headers[':authority'];
  // HTTP/1.0 needs no Host, and without one there is nothing to distrust.
  const host = incoming.headers.host ?? (typeof authority === 'string' ? authority : 'localhost');
  const origin = `${isEncrypted(incoming.socket) ? 'https' : 'http'}://${host}`;
  if (!HOST.test(host) || parseUrl(origin) === undefined) {
    throw new UnusableRequestError('The Host header is malformed.');
  }
  return origin;
}

function isEncrypted(socket: object): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

function headersOf(incoming: NodeRequest, reserialized: boolean): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    if (reserialized && WIRE_HEADERS.includes(name)) continue;
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  }
  return headers;
}

/**
 * Adds every `Authorization` header. Node keeps only the first of several, and a proxy may have
 * checked another one. If a middleware has set the header, only its value counts.
 */
function appendHiddenAuthorizations(headers: Headers, incoming: NodeRequest): void {
  const [first, ...others] = sentValues(incoming.rawHeaders ?? [], 'authorization');
  if (headers.get('authorization') !== first) return;
  for (const other of others) headers.append('authorization', other);
}

/**
 * Tells whether the body is the `{}` that the parsers of Express 4 set where they parse nothing.
 * What they parse has a mark, `_body`.
 */
function isPreset({ body, headers, _body: isParsed }: NodeRequest): boolean {
  if (isParsed === true || !/json/i.test(headers['content-type'] ?? '')) return false;
  if (headers['content-length'] === '2') return false;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.keys(body).length === 0;
}

function bodyOf(incoming: NodeRequest, payload: AsyncIterable<Chunk> | undefined): RequestBody | undefined {
  if (payload !== undefined && payload !== incoming) return replacedBodyOf(payload);
  // If another reader took bytes from the stream, they are gone. If none did, the stream is the
  // body, even if a parser preset `body`.
  if (incoming.readableDidRead) {
    // A request without a body could mean something else: reading one that is lost fails.
    const isLost = incoming.body === undefined || isPreset(incoming);
    if (isLost && hasBody(incoming)) return { content: consumedBody(), reserialized: true };
    return parsedBodyOf(incoming.body, incoming.headers);
  }
  return incoming.readableEnded ? undefined : unreadBodyOf(incoming);
}
