import type { IncomingMessage } from 'node:http';
import { UnusableRequestError } from './unusable-request.ts';

/** The body of a Web `Request` made from a Node one. */
export interface RequestBody {
  readonly content: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string;
  /** A parser or a hook of the framework made it: these are not the bytes that the client sent. */
  readonly reserialized: boolean;
}

/**
 * A body that nobody has read yet, as a stream that takes a chunk from the socket only when a
 * reader asks. Cancelling it stops reading and leaves the socket open for the answer. Undefined
 * when the request has none.
 */
export function unreadBodyOf(incoming: IncomingMessage): RequestBody | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  // HTTP/2 frames bodies without either header.
  const mayFollow = coding !== undefined || incoming.httpVersionMajor >= 2;
  if (!mayFollow && (length === undefined || Number(length) === 0)) return undefined;
  return { content: streamOf(incoming.iterator({ destroyOnReturn: false })), reserialized: false };
}

/**
 * A stream that a framework put in the place of the request: not the bytes that the client sent.
 */
export function replacedBodyOf(payload: AsyncIterable<Uint8Array>): RequestBody {
  return { content: streamOf(payload[Symbol.asyncIterator]()), reserialized: true };
}

function streamOf(chunks: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The most that is written behind a parsed body: more than any handler of ours reads, whatever a
 * header claims.
 */
const MAX_SPACES = 131_072;

/**
 * A body that a parser of the framework has consumed: bytes and text as they are, anything else as
 * JSON, followed by spaces (at most 128 KiB) to the length in which the client sent it. So a
 * handler that bounds its bodies bounds what was sent.
 *
 * @param headers of the request: `Content-Length` is that of the JSON where it was not compressed
 * @throws UnusableRequestError when it cannot be written as JSON (nested too deeply, for one)
 */
export function parsedBodyOf(
  body: unknown,
  { 'content-length': length, 'content-encoding': coding }: IncomingMessage['headers'],
): RequestBody | undefined {
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
