import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Http2Stream } from 'node:http2';
import { ConsumedBodyError } from '../consumed-body.ts';
import { UnusableRequestError } from './unusable-request.ts';

/** A part of a body: text if someone has called `setEncoding` on the stream. */
export type Chunk = Uint8Array | string;

/** The body of a Web `Request` made from a Node one. */
export interface RequestBody {
  readonly content: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string;
  /**
   * True if a parser or a hook of the framework made the body: it is not the bytes that the client
   * sent.
   */
  readonly reserialized: boolean;
}

/**
 * Returns an unread body as a stream that takes a chunk from the socket only when its reader asks.
 * Cancelling it stops reading and leaves the socket open for the answer. Returns undefined if the
 * request has no body.
 */
export function unreadBodyOf(incoming: IncomingMessage): RequestBody | undefined {
  if (!hasBody(incoming)) return undefined;
  return { content: streamOf(unreadChunks(incoming), incoming.readableEncoding), reserialized: false };
}

/** @throws ConsumedBodyError if another reader has begun before the first chunk is asked for */
async function* unreadChunks(incoming: IncomingMessage): AsyncGenerator<Chunk> {
  // A listener for `data` lets the body flow as soon as anything is awaited.
  if (incoming.readableDidRead) throw new ConsumedBodyError();
  yield* incoming.iterator({ destroyOnReturn: false });
}

/** Tells whether a request has a body: by its headers, or in HTTP/2 by the end of its stream. */
export function hasBody(incoming: {
  readonly headers: IncomingHttpHeaders;
  readonly stream?: Http2Stream;
}): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  return coding !== undefined || Number(length ?? 0) > 0 || incoming.stream?.endAfterHeaders === false;
}

/**
 * Wraps a stream with which a framework replaced the request: not the bytes that the client sent.
 */
export function replacedBodyOf(payload: AsyncIterable<Chunk>): RequestBody {
  return { content: streamOf(payload[Symbol.asyncIterator](), null), reserialized: true };
}

/** @param encoding of text chunks, which `setEncoding` makes. Default: UTF-8 */
function streamOf(chunks: AsyncIterator<Chunk>, encoding: BufferEncoding | null): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? Buffer.from(value, encoding ?? 'utf8') : value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The most padding behind a parsed body, whatever a header claims: more than any of our handlers
 * reads.
 */
const MAX_SPACES = 131_072;

/**
 * Restores a body that a parser of the framework has consumed: bytes and text as they are, anything
 * else as JSON. Spaces (at most 128 KiB) pad the JSON to the length in which the client sent it, so
 * a handler that limits its bodies limits the length as sent.
 *
 * @param headers of the request: `Content-Length` is the length of the client's JSON, unless the
 *   body was compressed
 * @throws UnusableRequestError when it cannot be written as JSON (nested too deeply, for one)
 */
export function parsedBodyOf(body: unknown, headers: IncomingHttpHeaders): RequestBody | undefined {
  const { 'content-length': length, 'content-encoding': coding } = headers;
  if (body instanceof Uint8Array) return { content: new Uint8Array(body), reserialized: true };
  if (typeof body === 'string') return { content: body, reserialized: true };
  try {
    const content = JSON.stringify(body);
    if (content === undefined) return undefined;
    const missing = coding === undefined ? Number(length ?? 0) - Buffer.byteLength(content) : 0;
    const spaces = Math.min(missing, MAX_SPACES);
    return { content: spaces > 0 ? content + ' '.repeat(spaces) : content, reserialized: true };
  } catch (cause) {
    throw new UnusableRequestError('The body cannot be read.', { cause });
  }
}
