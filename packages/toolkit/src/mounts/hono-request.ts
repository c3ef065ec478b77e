import { consumedBody, failingBody } from '../consumed-body.ts';
import { WIRE_HEADERS } from '../node-web/wire-headers.ts';

/** The members of Hono's `c.req` that are used. */
export interface HonoRequest {
  readonly raw: Request;
  /** The results of Hono's own readers, by their names. */
  readonly bodyCache: object;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Returns a request with an unread body. If a middleware has read it, the body is restored from
 * Hono's copy. Where that is impossible, reading the body fails: with a ConsumedBodyError if
 * something has read it without Hono, otherwise with the error that Hono's reader met.
 */
export async function readableRequest(request: HonoRequest): Promise<Request> {
  const { raw } = request;
  if (!raw.bodyUsed) return raw;
  const headers = new Headers(raw.headers);
  for (const name of WIRE_HEADERS) headers.delete(name);
  const body = await restoredBody(request);
  return new Request(raw.url, { method: raw.method, headers, signal: raw.signal, body, duplex: 'half' });
}

async function restoredBody(request: HonoRequest): Promise<ArrayBuffer | ReadableStream> {
  const isReadByHono = Object.keys(request.bodyCache).length > 0;
  try {
    return await request.arrayBuffer();
  } catch (error) {
    return isReadByHono ? failingBody(error) : consumedBody();
  }
}
