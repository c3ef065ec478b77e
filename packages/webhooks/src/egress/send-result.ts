/**
 * Why a request got no status code. The codes are stored with a delivery's attempts and shown to a
 * webhook's owner, so none of them reveals what a name resolved to.
 *
 * - `url_not_public`: the URL's text, scheme, port or name is refused.
 * - `blocked_address`: the host is, or resolves to, an address that is not public.
 * - `dns_error`: the name did not resolve in time.
 * - `connection_refused`, `connection_reset`, `unreachable`: as TCP reports them.
 * - `tls_error`: the handshake or the certificate failed.
 * - `timeout`: the connection was not made in time, or status and headers did not arrive before the
 *   deadline.
 * - `invalid_response`: the recipient does not speak HTTP/1.1, or its headers exceed 16 KiB.
 * - `network_error`: anything else that broke the connection.
 * - `aborted`: the caller's signal fired.
 * - `closed`: the egress is closed.
 */
export type SendFailureCode =
  | 'url_not_public'
  | 'blocked_address'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'unreachable'
  | 'tls_error'
  | 'timeout'
  | 'invalid_response'
  | 'network_error'
  | 'aborted'
  | 'closed';

/** The recipient answered. Redirects and errors are answers too: only the status code decides. */
export interface SendResponse {
  readonly kind: 'response';
  readonly statusCode: number;
  /** The text of the `Retry-After` header, if present; at most 128 characters. */
  readonly retryAfter?: string;
  /**
   * Headers that explain the response or name its request, by lower-case name: at most
   * 1,024 bytes of UTF-8. Absent if there are none. Hostile text.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The start of the body, without U+0000: at most 4,096 bytes of UTF-8 with the kept headers.
   * Hostile text.
   */
  readonly body: string;
}

/** The request got no status code. */
export interface SendFailure {
  readonly kind: 'failure';
  readonly code: SendFailureCode;
}

/** The result of one request. */
export type SendResult = SendResponse | SendFailure;

/** Carries a {@link SendFailureCode} through the HTTP client; never leaves this folder. */
export class SendFailureError extends Error {
  override readonly name = 'SendFailureError';
  readonly failureCode: SendFailureCode;

  constructor(failureCode: SendFailureCode) {
    super(failureCode);
    this.failureCode = failureCode;
  }
}

const CODES: Readonly<Record<string, SendFailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
};

/**
 * Converts an error of the socket, of TLS or of the HTTP client. `otherwise` is the code of an
 * unknown one.
 */
export function failureCodeOf(error: unknown, otherwise: SendFailureCode = 'network_error'): SendFailureCode {
  if (error instanceof SendFailureError) return error.failureCode;
  if (!(error instanceof Error)) return otherwise;
  const code = 'code' in error ? String(error.code) : '';
  // undici reports an unrequested interim 100 or 101 as a socket error.
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)/.test(error.message)) return 'invalid_response';
  if (error.name === 'HTTPParserError') return 'invalid_response';
  if (/^ERR_(SSL|TLS)_/.test(code)) return 'tls_error';
  return CODES[code] ?? otherwise;
}
