import type { SendDetail, SendFailureCode } from '../../src/egress/send-result.ts';

/** Every code of a request without an answer: a new one does not compile until it stands here. */
export const SEND_FAILURE_CODES: Readonly<Record<SendFailureCode, true>> = {
  url_not_public: true,
  blocked_address: true,
  dns_error: true,
  connection_refused: true,
  connection_reset: true,
  unreachable: true,
  tls_error: true,
  timeout: true,
  invalid_response: true,
  network_error: true,
  aborted: true,
  closed: true,
};

/** Every detail of an attempt: a new one does not compile until it stands here. */
export const SEND_DETAILS: Readonly<Record<SendDetail, true>> = {
  certificate_expired: true,
  certificate_not_yet_valid: true,
  unknown_issuer: true,
  incomplete_chain: true,
  wrong_name: true,
  tls_too_old: true,
  only_http2: true,
  not_tls: true,
  handshake_refused: true,
  not_http: true,
  unusable_status: true,
  headers_too_large: true,
  response_too_large: true,
  malformed_status_line: true,
  bare_line_feed: true,
  odd_character: true,
  folded_header: true,
  malformed_header: true,
  repeated_length: true,
  two_lengths: true,
  malformed_length: true,
  length_beside_chunks: true,
  malformed_chunk: true,
  unexpected_body: true,
  bytes_after_end: true,
  incomplete_body: true,
};
