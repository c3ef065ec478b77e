/** A request that no Web `Request` can stand for: its client is answered 400, with this message. */
export class UnusableRequestError extends Error {
  override readonly name = 'UnusableRequestError';
}

/** What such a client is answered (RFC 9457); any other error is thrown on. */
export function unusableResponse(error: unknown): Response {
  if (!(error instanceof UnusableRequestError)) throw error;
  const problem = {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    code: 'bad_request',
    detail: error.message,
  };
  return new Response(JSON.stringify(problem), {
    status: 400,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
