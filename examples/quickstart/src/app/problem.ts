import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

/**
 * A refusal that a route throws. It is answered as problem details (RFC 9457), like the refusals of
 * the two libraries.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
};

/** Ends a group of routes, so that an unknown path is not passed on to the next group. */
export const notFound: RequestHandler = () => {
  throw new Problem(404, 'not_found', 'There is nothing here.');
};

/**
 * Turns any error of a route into an answer. Only refusals explain themselves; failures go to the
 * log.
 */
export const answerErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) next(error);
  else if (error instanceof Problem) send(response, error);
  else if (isClientError(error)) {
    send(response, new Problem(error.status, 'bad_request', 'The address or the body cannot be read.'));
  } else {
    console.error(error);
    send(response, new Problem(500, 'internal_error', 'Something went wrong here.'));
  }
};

function send(response: Response, { status, code, message }: Problem): void {
  const problem = { type: 'about:blank', title: TITLES[status] ?? 'Error', status, code, detail: message };
  response.status(status).set({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  response.send(JSON.stringify(problem));
}

/**
 * The errors that Express and its body parser throw for an address, an encoding or a body that they
 * cannot read.
 */
function isClientError(error: unknown): error is { readonly status: number } {
  return error instanceof Error && 'status' in error && Math.floor(Number(error.status) / 100) === 4;
}
