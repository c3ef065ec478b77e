/**
 * A request that a Web `Request` cannot represent. Answer its client 400; the client may read the
 * message.
 */
export class UnusableRequestError extends Error {
  override readonly name = 'UnusableRequestError';
}
