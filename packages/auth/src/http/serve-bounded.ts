import { consumedBody, isBodyRead } from '../../../toolkit/src/consumed-body.ts';
import { UnusableRequestError } from '../../../toolkit/src/node-web/unusable-request.ts';
import { AuthError, isAuthError } from '../errors.ts';
import type { ConnectionInfo, FetchHandler } from './fetch-handler.ts';
import { problemFor } from './problem.ts';
import { problemResponse } from './problem-response.ts';

/**
 * The longest body that a mounted handler is given, in bytes: several times what any log-in needs.
 */
const MAX_BODY_BYTES = 65_536;

/**
 * Serves a request with a handler that is given at most 64 KiB of its body, as a stream, whatever
 * the handler reads itself. A longer body is answered 413, before the handler is asked where its
 * length is declared. A body that was read before fails the handler that reads it.
 *
 * @param makeRequest makes the request; where no `Request` can carry it, that is answered as a
 *   problem
 * @throws what the handler throws, unless it is an error of this package, which is answered as a
 *   problem too
 */
export async function serveBounded(
  handler: FetchHandler,
  connection: ConnectionInfo,
  makeRequest: () => Request | Promise<Request>,
): Promise<Response> {
  let excess: AuthError | undefined;
  const refuse = () => {
    excess = new AuthError('body_too_large', 'The body of the request is too large');
    return excess;
  };
  try {
    const request = await makeRequest();
    if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw refuse();
    if (request.body === null) return await handler(request, connection);
    const body = isBodyRead(request) ? consumedBody() : bounded(request.body, refuse);
    return await handler(new Request(request, { body, duplex: 'half' }), connection);
  } catch (error) {
    const known = excess ?? asAuthError(error);
    if (isAuthError(known)) return problemResponse(problemFor(known));
    throw error;
  }
}

function asAuthError(error: unknown): unknown {
  if (!(error instanceof UnusableRequestError)) return error;
  return new AuthError('request_invalid', error.message, { cause: error });
}

/**
 * Passes chunks on as a reader asks for them; the one that exceeds the bound ends the stream with
 * an error.
 */
function bounded(body: ReadableStream<Uint8Array>, refuse: () => Error): ReadableStream<Uint8Array> {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BODY_BYTES) controller.error(refuse());
        else controller.enqueue(chunk);
      },
    },
    undefined,
    { highWaterMark: 0 },
  );
  return body.pipeThrough(counter);
}
