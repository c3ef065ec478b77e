import type { IncomingMessage } from 'node:http';
import { AuthError } from '../errors.ts';

/** The body of a Web `Request` made from a Node one. */
export interface RequestBody {
  readonly content: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string;
  /** Written from what a body parser had parsed: other bytes than the client sent. */
  readonly isRewritten: boolean;
}

/**
 * A body that nobody has read: a stream that takes a chunk from the socket when a reader asks for one. Cancelling it
 * stops the reading and leaves the socket open for the answer.
 *
 * @param source where the framework says the bytes come from, if not from the request itself
 * @returns undefined when the request has no body
 */
export function unreadBody(
  incoming: IncomingMessage,
  source: AsyncIterable<Uint8Array> = incoming,
): RequestBody | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  // HTTP/2 frames a body without either header.
  const mayFollow = coding !== undefined || incoming.httpVersionMajor >= 2;
  if (!mayFollow && (length === undefined || Number(length) === 0)) return undefined;
  const chunks =
    source === incoming ? incoming.iterator({ destroyOnReturn: false }) : source[Symbol.asyncIterator]();
  return { content: streamOf(chunks), isRewritten: false };
}

/**
 * A body that a parser of the framework has read: bytes and text as they are, anything else as JSON.
 *
 * @returns undefined when the parser left nothing
 * @throws AuthError `request_invalid` when it cannot be written as JSON (nested too deeply, for one)
 */
export function parsedBody(body: unknown): RequestBody | undefined {
  if (body instanceof Uint8Array) return { content: new Uint8Array(body), isRewritten: true };
  if (typeof body === 'string') return { content: body, isRewritten: true };
  try {
    const content = JSON.stringify(body);
    return content === undefined ? undefined : { content, isRewritten: true };
  } catch (cause) {
    throw new AuthError('request_invalid', 'The body cannot be read', { cause });
  }
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
