/** One POST request as it is written to the wire. */
export interface OutgoingRequest {
  readonly origin: string;
  /** Whose request it is; see `ConnectionTarget`. */
  readonly tenant?: string | undefined;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Headers that decide which host a request is for, or where it ends. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws TypeError naming a header that belongs to the connection, or cannot be written. */
export function assertSendableHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (CONNECTION_HEADERS.has(name.toLowerCase())) {
      throw new TypeError(`The header ${name} belongs to the connection and cannot be set`);
    }
    if (!TOKEN.test(name) || !FIELD_VALUE.test(value)) {
      throw new TypeError(`The request cannot be sent: invalid header ${JSON.stringify(name)}`);
    }
  }
}

/**
 * Writes a request (RFC 9112). It has the headers given and those of the connection, and nothing
 * else adds to it.
 */
export function requestBytes({ origin, path, headers, body }: OutgoingRequest): Uint8Array {
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const host = origin.slice(origin.indexOf('//') + 2);
  let head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += `Content-Length: ${size}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + size);
  bytes.write(head, 'latin1');
  if (typeof body === 'string') bytes.write(body, head.length);
  else bytes.set(body, head.length);
  return bytes;
}
