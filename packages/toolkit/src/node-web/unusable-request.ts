/**
 * A request that no Web `Request` can stand for: its client is to be answered 400, and may read the
 * message.
 */
export class UnusableRequestError extends Error {
  override readonly name = 'UnusableRequestError';
}
