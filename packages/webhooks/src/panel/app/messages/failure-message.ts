/** Why an attempt failed, and what the administrator can do about it. */
export interface FailureMessage {
  readonly title: string;
  readonly advice: string;
}

const MESSAGES: Readonly<Record<string, FailureMessage>> = {
  url_not_public: {
    title: 'The URL is not a public address',
    advice:
      'Webhooks only go to public addresses, on port 80, 443 or above 1023. Edit the webhook and enter a public http or https URL.',
  },
  blocked_address: {
    title: 'The address is not public',
    advice:
      'The host name resolves to a private or reserved network, and webhooks only go to public addresses. Correct the DNS entry or the URL. To deliver inside your own network on purpose, the operator can add the address to allowedAddresses.',
  },
  dns_error: {
    title: 'The host name could not be found',
    advice: 'Check the URL for typing errors, and check that the domain has an A or AAAA record.',
  },
  connection_refused: {
    title: 'The recipient refused the connection',
    advice:
      'Nothing is listening on that port. Check that the recipient is running and that the port is right.',
  },
  connection_reset: {
    title: 'The connection was interrupted',
    advice:
      'The recipient, or a firewall in front of it, closed the connection. Check its log for this time.',
  },
  unreachable: {
    title: 'The recipient cannot be reached',
    advice: 'There is no route to its address. Check its network and firewall.',
  },
  tls_error: {
    title: 'The secure connection failed',
    advice:
      'The certificate is expired, self-signed or issued for another name, or its chain is incomplete. Renew it at the recipient; certificates are always checked.',
  },
  timeout: {
    title: 'The recipient took too long',
    advice: 'It has 15 seconds. Have it answer 2xx at once and process the event afterwards.',
  },
  invalid_response: {
    title: 'The answer was not HTTP',
    advice:
      'The server at that address does not speak HTTP/1.1. Check the port, and http or https in the URL.',
  },
  network_error: {
    title: 'The connection failed',
    advice: 'The exact reason is unknown. Check the recipient’s log for this time.',
  },
  aborted: {
    title: 'The attempt was interrupted',
    advice: 'This service stopped during the attempt. Nothing is wrong at the recipient.',
  },
  closed: {
    title: 'This service was shutting down',
    advice: 'Nothing is wrong at the recipient.',
  },
  internal_error: {
    title: 'Something went wrong here, not at the recipient',
    advice:
      'Send it again. If that does not help, the operator can find the reason in the log of this service.',
  },
  webhook_inactive: {
    title: 'The webhook was paused',
    advice: 'Nothing is sent while a webhook is paused. Activate it, then send this delivery again.',
  },
  worker_lost: {
    title: 'This service stopped during the attempt',
    advice: 'It is unknown whether the recipient received it. It may arrive twice, under the same id.',
  },
  expired: {
    title: 'It was given up because of its age',
    advice:
      'Deliveries are kept for a limited time, 30 days by default, and this one was still pending after that time.',
  },
};

const HTTP_ADVICE: Readonly<Record<number, string>> = {
  400: 'The recipient did not understand the request. Its answer below may say why.',
  401: 'The recipient could not verify the sender. Usually it has a different signing secret: rotate the secret and give it the new one.',
  403: 'The recipient refused it. Its firewall may block this service, or it may have a different signing secret.',
  404: 'The recipient has nothing at that path. Check the path of the URL.',
  405: 'The recipient does not accept POST at that path. Check the path of the URL.',
  408: 'The recipient gave up waiting for the request. Check its log for this time.',
  410: 'The recipient says that it is gone for good. If that is right, delete this webhook.',
  413: 'The recipient does not accept a body of this size. Raise its limit; payloads have up to 256 KiB.',
  415: 'The recipient does not accept JSON. Webhooks are sent as application/json.',
  422: 'The recipient did not accept the content. Its answer below may say why.',
  429: 'The recipient is receiving more requests than it accepts. If it says how long to wait, the next attempt waits that long, up to an hour.',
};

/**
 * Explains the error code of an attempt or a delivery. A code of a later version is shown as it is.
 */
export function failureMessage(code: string): FailureMessage {
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) return httpMessage(Number(status));
  const message = Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined;
  return message ?? { title: code, advice: 'Check the recipient’s log for this time.' };
}

function httpMessage(status: number): FailureMessage {
  const title = `The recipient answered HTTP ${status}`;
  const advice = HTTP_ADVICE[status] ?? rangeAdvice(status);
  return { title, advice };
}

function rangeAdvice(status: number): string {
  if (status < 400) {
    return 'Redirects are not followed, and only 2xx counts as received. Enter the final address as the URL.';
  }
  if (status < 500) return 'The recipient did not accept it. Its answer below may say why.';
  return 'The recipient failed. Its log for this time, or its answer below, says why.';
}
