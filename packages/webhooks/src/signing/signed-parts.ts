/** The unparsed body of a request, as bytes or text. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Tells whether an id has no dots, so that `<id>.<timestamp>.<body>` is unambiguous. */
export function isSignedId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id);
}

/**
 * Tells whether a text is Unix seconds in canonical form: up to 12 digits without leading zeros.
 */
export function isSignedTimestamp(timestamp: unknown): timestamp is string {
  return typeof timestamp === 'string' && /^(?:0|[1-9]\d{0,11})$/.test(timestamp);
}

/**
 * Copies the body, so that the verified bytes and the parsed ones are the same even if the caller
 * reuses its buffer in the meantime. Text is returned as it is.
 *
 * It accepts bytes of another realm (a test environment, a `vm` context), which `instanceof` would
 * reject.
 *
 * @throws TypeError for a value that is neither text nor bytes
 */
export function copyRawBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  }
  if (isArrayBuffer(body)) return new Uint8Array(new Uint8Array(body));
  throw new TypeError('body must be the raw request body: text or bytes, not a parsed object');
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}
