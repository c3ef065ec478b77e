/** Bytes or text that nobody parsed: the body of a request. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** An id without dots keeps `<id>.<timestamp>.<body>` readable in one way only. */
export function isSignedId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id);
}

/** Tells whether a text is Unix seconds in their one spelling: up to 12 digits, without a zero before them. */
export function isSignedTimestamp(timestamp: unknown): timestamp is string {
  return typeof timestamp === 'string' && /^(?:0|[1-9]\d{0,11})$/.test(timestamp);
}

/**
 * The body as it is now: text, or a copy of the bytes, so that what was signed and what is read are the same even when
 * the caller uses its buffer for something else meanwhile.
 *
 * Bytes of another realm (a test environment, a `vm` context) are bytes as well, which `instanceof` denies.
 *
 * @throws TypeError for what is neither text nor bytes
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
