/** What an attempt failed with, by its error code. */
export const FAILURE_TITLES = {
  url_not_public: 'The URL is not a public address',
  blocked_address: 'The address is not public',
  dns_error: 'The host name could not be found',
  connection_refused: 'The recipient refused the connection',
  connection_reset: 'The connection was interrupted',
  unreachable: 'The recipient cannot be reached',
  tls_error: 'The secure connection failed',
  timeout: 'The recipient took too long',
  invalid_response: 'The answer could not be read',
  network_error: 'The connection failed',
  aborted: 'The attempt was interrupted',
  closed: 'This service was shutting down',
  deferred: 'The recipient is busy and asked to wait',
  busy: 'The recipient was busy for a day',
  internal_error: 'Something went wrong here, not at the recipient',
  webhook_inactive: 'The webhook was paused',
  worker_lost: 'This service stopped during the attempt',
  expired: 'It waited for too long',
  http: 'The recipient answered HTTP {status}',
} as const;

/**
 * What the administrator can do about it, by the error code; `http_4xx` for any such status without
 * a row.
 */
export const FAILURE_ADVICE = {
  url_not_public:
    'Webhooks only go to public addresses, on port 80, 443 or above 1023. Edit the webhook and enter a public http or https URL.',
  blocked_address:
    'The host name resolves to a private or reserved network, and webhooks only go to public addresses. Correct the DNS entry or the URL. To deliver inside your own network on purpose, the operator can add the address to allowedAddresses.',
  dns_error: 'Check the URL for typing errors, and check that the domain has an A or AAAA record.',
  connection_refused:
    'Nothing is listening on that port. Check that the recipient is running and that the port is right.',
  connection_reset:
    'The recipient, or a firewall in front of it, closed the connection. Check its log for this time.',
  unreachable: 'There is no route to its address. Check its network and firewall.',
  tls_error: 'The certificate or the encryption does not hold. The attempt says why.',
  timeout: 'It has 15 seconds. Have it answer 2xx at once and process the event afterwards.',
  invalid_response:
    'No HTTP status came back. The attempt says why. Check the port, and http or https in the URL.',
  network_error: 'The exact reason is unknown. Check the recipient’s log for this time.',
  aborted: 'This service stopped during the attempt. Nothing is wrong at the recipient.',
  closed: 'Nothing is wrong at the recipient.',
  deferred:
    'It receives more requests than it accepts. The delivery waits for as long as the recipient asked, up to an hour, and this attempt does not count. Raise the recipient’s limit if it falls behind.',
  busy: 'It asked to wait for a whole day. Raise the recipient’s limit, then send this delivery again.',
  internal_error:
    'Send it again. If that does not help, the operator can find the reason in the log of this service.',
  webhook_inactive: 'Nothing is sent while a webhook is paused. Activate it, then send this delivery again.',
  worker_lost: 'It is unknown whether the recipient received it. It may arrive twice, under the same id.',
  expired:
    'It was due for days, seven by default, and more came in than could be sent. Raise the limit of the webhook, then send this delivery again.',
  http_400: 'The recipient did not understand the request. Its answer below may say why.',
  http_401:
    'The recipient could not verify the sender. Usually it has a different signing secret: rotate the secret and give it the new one.',
  http_403:
    'The recipient refused it. Its firewall may block this service, or it may have a different signing secret.',
  http_404: 'The recipient has nothing at that path. Check the path of the URL.',
  http_405: 'The recipient does not accept POST at that path. Check the path of the URL.',
  http_408: 'The recipient gave up waiting for the request. Check its log for this time.',
  http_410: 'The recipient says that it is gone for good. If that is right, delete this webhook.',
  http_413:
    'The recipient does not accept a body of this size. Raise its limit; payloads have up to 256 KiB.',
  http_415: 'The recipient does not accept JSON. Webhooks are sent as application/json.',
  http_422: 'The recipient did not accept the content. Its answer below may say why.',
  http_429: 'The recipient received more requests than it accepts. Raise the recipient’s limit.',
  http_3xx:
    'Redirects are not followed, and only 2xx counts as received. Enter the final address as the URL.',
  http_4xx: 'The recipient did not accept it. Its answer below may say why.',
  http_5xx: 'The recipient failed. Its log for this time, or its answer below, says why.',
  unknown: 'Check the recipient’s log for this time.',
} as const;
