import { UnusableRequestError } from '../node-web/unusable-request.ts';
import { WIRE_HEADERS } from '../node-web/wire-headers.ts';

/** The members of Hono's `c.req` that are used. */
interface HonoRequest {
  readonly raw: Request;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Returns a request with an unread body. If a middleware has read it, the body is restored from
 * Hono's copy.
 *
 * @throws UnusableRequestError if it cannot be restored, for example because something has read it
 *   without Hono
 */
export async function readableRequest(request: HonoRequest): Promise<Request> {
  const { raw } = request;
  if (!raw.bodyUsed) return raw;
  const headers = new Headers(raw.headers);
  for (const name of WIRE_HEADERS) headers.delete(name);
  try {
    const body = await request.arrayBuffer();
    return new Request(raw.url, { method: raw.method, headers, signal: raw.signal, body });
  } catch (cause) {
    throw new UnusableRequestError('The body cannot be read.', { cause });
  }
}
