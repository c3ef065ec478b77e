import { UnusableRequestError } from '../../toolkit/src/node-web/unusable-request.ts';
import { assertWebRequest } from '../../toolkit/src/web-request.ts';

/**
 * An HTTP application in the terms of the Web: a Request in, a Response out.
 *
 * One that names its `basePath` answers for that path and what lies below it; an adapter passes
 * every other path on to the framework. One that names none is asked for every path.
 */
export interface FetchHandler {
  (request: Request, native?: unknown): Promise<Response>;
  /** The path as clients see it, such as `/api/admin/webhooks`: no trailing slash, no query. */
  readonly basePath?: string;
}

/** @internal A handler that refuses at once what only a `mount` makes a `Request` of. */
export function fetchHandler(
  basePath: string,
  handle: (request: Request, native?: unknown) => Promise<Response>,
) {
  const refusing = (request: Request, native?: unknown): Promise<Response> => {
    assertWebRequest(
      request,
      'mount, as in app.use(mount(api)), of @acme/webhooks/express, /fastify or /hono',
    );
    return handle(request, native);
  };
  return Object.assign(refusing, { basePath });
}

/**
 * What a handler answers to the request that `makeRequest` makes; 400 if no `Request` can carry
 * it, without the handler.
 *
 * @param native the framework's own request, for the handler's `authorize`
 * @throws whatever the handler throws
 */
export async function answerRequest(
  handler: FetchHandler,
  makeRequest: () => Request | Promise<Request>,
  native?: unknown,
): Promise<Response> {
  let request: Request;
  try {
    request = await makeRequest();
  } catch (error) {
    if (error instanceof UnusableRequestError) return unusable(error.message);
    throw error;
  }
  return handler(request, native);
}

/** Problem details (RFC 9457), as the API answers with. */
function unusable(detail: string): Response {
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, code: 'bad_request', detail };
  return new Response(JSON.stringify(problem), {
    status: 400,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
