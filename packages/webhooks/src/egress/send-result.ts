/**
 * Why a request got no status code. The codes are stored with a delivery's attempts and shown to a
 * webhook's owner, so none of them reveals what a name resolved to.
 *
 * - `url_not_public`: the URL's text, scheme, port or name is refused.
 * - `blocked_address`: the host is, or resolves to, an address that is not public.
 * - `dns_error`: the name did not resolve in time.
 * - `connection_refused`, `connection_reset`, `unreachable`: as TCP reports them.
 * - `tls_error`: the handshake or the certificate failed; see {@link TlsDetail}.
 * - `timeout`: the connection was not made in time, or status and headers did not arrive before the
 *   deadline.
 * - `invalid_response`: what came back has no status that could be read; see {@link AnswerDetail}.
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

/** Why TLS failed, as far as that is known. */
export type TlsDetail =
  | 'certificate_expired'
  | 'certificate_not_yet_valid'
  | 'unknown_issuer'
  | 'incomplete_chain'
  | 'wrong_name'
  | 'tls_too_old'
  | 'only_http2'
  | 'not_tls'
  | 'handshake_refused';

/**
 * How an answer deviates from HTTP/1.1. The first row has no status that could be read, and is the
 * reason of an `invalid_response`. The others have one, which decides: the answer was tolerated. So
 * is a body of more than 64 KiB, which is `response_too_large` too.
 */
export type AnswerDetail =
  | ('not_http' | 'only_http2' | 'unusable_status' | 'headers_too_large' | 'response_too_large')
  | ('malformed_status_line' | 'bare_line_feed' | 'odd_character' | 'folded_header' | 'malformed_header')
  | ('repeated_length' | 'two_lengths' | 'malformed_length' | 'length_beside_chunks')
  | ('malformed_chunk' | 'unexpected_body' | 'bytes_after_end' | 'incomplete_body');

/** What exactly was wrong with a connection or an answer. */
export type SendDetail = TlsDetail | AnswerDetail;

/** The recipient answered. Redirects and errors are answers too: only the status code decides. */
export interface SendResponse {
  readonly kind: 'response';
  readonly statusCode: number;
  /** The text of the `Retry-After` header, if present; at most 128 characters. */
  readonly retryAfter?: string;
  /** The text of the `Date` header beside a `Retry-After`; at most 128 characters. */
  readonly date?: string;
  /**
   * Headers that explain the response or name its request, by lower-case name: at most
   * 1,024 bytes of UTF-8. Absent if there are none. Hostile text.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** What was tolerated in the answer; absent if nothing was. */
  readonly detail?: AnswerDetail;
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
  /** Why, of a `tls_error` or `invalid_response`; absent if it is not known. */
  readonly detail?: SendDetail;
}

/** The result of one request. */
export type SendResult = SendResponse | SendFailure;

/** Carries a {@link SendFailure} through the connection; never leaves this folder. */
export class SendFailureError extends Error {
  override readonly name = 'SendFailureError';
  readonly failure: SendFailure;

  constructor(code: SendFailureCode, detail?: SendDetail) {
    super(code);
    this.failure = { kind: 'failure', code, ...(detail && { detail }) };
  }
}

const CODES: Readonly<Record<string, SendFailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
};

/** By the error codes of Node and OpenSSL, whose spelling differs between releases: first match. */
const TLS_DETAILS: readonly (readonly [code: RegExp, detail: TlsDetail])[] = [
  [/^CERT_HAS_EXPIRED$/, 'certificate_expired'],
  [/^CERT_NOT_YET_VALID$/, 'certificate_not_yet_valid'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'incomplete_chain'],
  [/^UNABLE_TO_GET_ISSUER_CERT|^SELF_SIGNED_CERT|^DEPTH_ZERO_SELF_SIGNED/, 'unknown_issuer'],
  [/^ERR_TLS_CERT_ALTNAME_/, 'wrong_name'],
  [/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|WRONG_SSL_VERSION/, 'tls_too_old'],
  [/NO_APPLICATION_PROTOCOL/, 'only_http2'],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|UNKNOWN_PROTOCOL|PACKET_LENGTH_TOO_LONG/, 'not_tls'],
  [/^ERR_SSL_/, 'handshake_refused'],
];

/** Converts an error of a socket. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof SendFailureError) return error.failure;
  const code = codeOf(error);
  if (/^ERR_(SSL|TLS)_/.test(code)) return tlsFailure(error).failure;
  return { kind: 'failure', code: CODES[code] ?? 'network_error' };
}

/** Converts an error of a TLS handshake. */
export function tlsFailure(error: unknown): SendFailureError {
  if (error instanceof SendFailureError) return error;
  const code = codeOf(error);
  const known = CODES[code];
  if (known !== undefined) return new SendFailureError(known);
  return new SendFailureError('tls_error', TLS_DETAILS.find(([pattern]) => pattern.test(code))?.[1]);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
