import type { SendFailureCode } from '../../src/egress/send-result.ts';

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
