/** Why an attempt failed, for a person, and what helps. */
export interface FailureWords {
  readonly title: string;
  readonly advice: string;
}

const WORDS: Readonly<Record<string, FailureWords>> = {
  url_not_public: {
    title: 'The URL is not a public address',
    advice:
      'Webhooks only go to public addresses, on port 80, 443 or above 1023. Edit the webhook and enter a public http or https URL.',
  },
  blocked_address: {
    title: 'The address is not public',
    advice:
      'The host name leads into a private or reserved network, and webhooks only go to public addresses. Correct the DNS entry or the URL. To deliver inside your own network on purpose, the operator can add the address to allowedAddresses.',
  },
  dns_error: {
    title: 'The host name could not be found',
    advice: 'Look for a typing error in the URL, and check that the domain has an A or AAAA record.',
  },
  connection_refused: {
    title: 'The recipient refused the connection',
    advice:
      'Nothing is listening on that port. Check that the recipient is running and that the port is right.',
  },
  connection_reset: {
    title: 'The connection broke off',
    advice:
      'The recipient, or a firewall in front of it, closed the connection. Look into its log at this time.',
  },
  unreachable: {
    title: 'The recipient cannot be reached',
    advice: 'There is no route to its address. Check its network and firewall.',
  },
  tls_error: {
    title: 'The secure connection failed',
    advice:
      'The certificate is expired, self-signed or made for another name, or its chain is incomplete. Renew it at the recipient; certificates are always checked.',
  },
  timeout: {
    title: 'The recipient took too long',
    advice: 'It has 15 seconds. Have it answer 2xx at once and do the work afterwards.',
  },
  invalid_response: {
    title: 'The answer was not HTTP',
    advice:
      'Something that does not speak HTTP/1.1 listens there. Check the port, and http or https in the URL.',
  },
  network_error: {
    title: 'The connection failed',
    advice: 'The reason is not known more exactly. Look into the log of the recipient at this time.',
  },
  aborted: {
    title: 'The attempt was interrupted',
    advice: 'This service stopped in the middle of it. Nothing is wrong at the recipient.',
  },
  closed: {
    title: 'This service was shutting down',
    advice: 'Nothing is wrong at the recipient.',
  },
  internal_error: {
    title: 'Something went wrong here, not at the recipient',
    advice: 'Send it again. If that does not help, the operator finds the reason in the log of this service.',
  },
  webhook_inactive: {
    title: 'The webhook was paused',
    advice: 'Nothing is sent while a webhook is paused. Activate it, then send this delivery again.',
  },
  worker_lost: {
    title: 'This service stopped during the attempt',
    advice: 'Whether the recipient got it is not known. It may arrive twice, under the same id.',
  },
  expired: {
    title: 'It was given up for its age',
    advice:
      'Deliveries are kept for a limited time, 30 days by default, and this one was still waiting then.',
  },
};

const HTTP_ADVICE: Readonly<Record<number, string>> = {
  400: 'The recipient did not understand the request. Its answer below may say why.',
  401: 'The recipient could not verify who sent it. Usually it has another signing secret: rotate the secret and give it the new one.',
  403: 'The recipient refused it. Its firewall may block this service, or it may have another signing secret.',
  404: 'There is nothing at that address. Check the path of the URL.',
  405: 'The address does not accept POST. Check the path of the URL.',
  408: 'The recipient gave up waiting for the request. Look into its log at this time.',
  410: 'The recipient says that it is gone for good. If that is right, delete this webhook.',
  413: 'The recipient does not accept a body of this size. Raise its limit; payloads have up to 256 KiB.',
  415: 'The recipient does not accept JSON. Webhooks are sent as application/json.',
  422: 'The recipient did not accept the content. Its answer below may say why.',
  429: 'The recipient gets more than it can take at the moment. When it says how long to wait, that is respected.',
};

/** Explains the error code of an attempt or of a delivery. Codes of later versions are shown as they are. */
export function failureWords(code: string): FailureWords {
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) return httpWords(Number(status));
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words ?? { title: code, advice: 'Look into the log of the recipient at this time.' };
}

function httpWords(status: number): FailureWords {
  const title = `The recipient answered HTTP ${status}`;
  const advice = HTTP_ADVICE[status] ?? rangeAdvice(status);
  return { title, advice };
}

function rangeAdvice(status: number): string {
  if (status < 400) {
    return 'Redirects are not followed, and only 2xx counts as received. Enter the final address as the URL.';
  }
  if (status < 500) return 'The recipient did not accept it. Its answer below may say why.';
  return 'The recipient failed. Its log at this time, or its answer below, says why.';
}
