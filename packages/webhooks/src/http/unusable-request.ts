/** A Node request that no Web `Request` can stand for: its client is answered 400, with this message. */
export class UnusableRequestError extends Error {
  override readonly name = 'UnusableRequestError';
}
