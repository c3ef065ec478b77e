import type { PanelTexts } from './dictionary.ts';

/**
 * What the portal says in place of the panel's English texts: it speaks to the customer, whose own
 * server receives. `{product}` is the application that sends.
 */
export const PORTAL_TEXTS = {
  document: {
    notAllowed: 'Your account at {product} may not manage webhooks.',
  },
  problem: {
    unreachable: 'Your browser cannot reach {product}. Check your connection, then try again.',
    unexpected: 'This page does not understand the answer of {product}. Try again shortly.',
    insufficient_scope: 'Your account at {product} may not do this.',
    read_only: 'Nothing can be changed here at present.',
    event_not_found: 'There is no such event at {product}.',
    storage_unavailable: 'At present {product} cannot answer. Try again shortly.',
    overloaded: 'At present {product} is very busy. Try again shortly.',
    closed: 'At the moment {product} is restarting. Try again shortly.',
    internal_error: 'Something went wrong at {product}. Try again shortly.',
  },
  refusal: {
    fieldUrlLocalName:
      'This name leads to a machine or network of your own, as localhost does. Webhooks only go to public addresses.',
    fieldUnknownEvent: 'There is no such event at {product}.',
  },
  failureTitle: {
    connection_refused: 'Your server refused the connection',
    unreachable: 'Your server cannot be reached',
    timeout: 'Your server took too long',
    closed: 'Interrupted by a restart of {product}',
    deferred: 'Your server is busy and asked to wait',
    busy: 'Your server was busy for a day',
    internal_error: 'Something went wrong at {product}, not at your server',
    worker_lost: 'Interrupted: {product} stopped during the attempt',
    http: 'Your server answered HTTP {status}',
  },
  failureAdvice: {
    blocked_address:
      'The host name resolves to a private or reserved network, and webhooks only go to public addresses. Correct the DNS entry or the URL.',
    connection_refused:
      'Nothing is listening on that port. Check that your server is running and that the port is right.',
    connection_reset:
      'Your server, or a firewall in front of it, closed the connection. Check its log for this time.',
    network_error: 'The exact reason is unknown. Check your server’s log for this time.',
    aborted: 'During the attempt {product} stopped. Nothing is wrong at your server.',
    closed: 'Nothing is wrong at your server.',
    deferred:
      'It receives more requests than it accepts. The delivery waits for as long as your server asked, up to an hour, and this attempt does not count. Raise its limit if it falls behind.',
    busy: 'It asked to wait for a whole day. Raise its limit, then send this delivery again.',
    internal_error: 'Send it again. If that does not help, contact {product}.',
    worker_lost: 'It is unknown whether your server received it. It may arrive twice, under the same id.',
    http_400: 'Your server did not understand the request. Its answer below may say why.',
    http_401:
      'Your server could not verify the sender. Usually it has a different signing secret: rotate the secret and give your server the new one.',
    http_403:
      'Your server refused it. Its firewall may block {product}, or it may have a different signing secret.',
    http_404: 'Your server has nothing at that path. Check the path of the URL.',
    http_405: 'Your server does not accept POST at that path. Check the path of the URL.',
    http_408: 'Your server gave up waiting for the request. Check its log for this time.',
    http_410: 'Your server says that it is gone for good. If that is right, delete this webhook.',
    http_413:
      'Your server does not accept a body of this size. Raise its limit; payloads have up to 256 KiB.',
    http_415: 'Your server does not accept JSON. Webhooks are sent as application/json.',
    http_422: 'Your server did not accept the content. Its answer below may say why.',
    http_429: 'Your server received more requests than it accepts. Raise its limit.',
    http_4xx: 'Your server did not accept it. Its answer below may say why.',
    http_5xx: 'Your server failed. Its log for this time, or its answer below, says why.',
    unknown: 'Check your server’s log for this time.',
  },
  trouble: {
    pausedGone:
      'It was paused automatically: your server answered 410, “gone for good”. Check the URL before you activate it.',
    busySince: 'Your server is busy and has asked to wait since {time}.',
  },
  ui: {
    contact: 'Contact {product}',
    back: 'Back to {product}',
  },
  firstVisit: {
    lead: 'Four steps, until your server hears what happens in {product}.',
  },
  list: {
    lead: 'Webhooks tell your servers what happens in {product}: each event is sent to every URL of yours that subscribes to it.',
    emptyAdvice:
      'Add the URL of your server and choose its events. You see its secret once, can send a test event, and find the result of every delivery here.',
    emptyReadOnly: 'None has been added yet.',
  },
  explain: {
    lead: 'Did your server not get what you expected? Enter the event, and see the reason for every webhook.',
    unknown: 'Check the spelling, including upper and lower case.',
  },
  form: {
    urlAdvice: 'Where {product} sends the events, as POST requests: a public address of your server',
    descriptionAdvice: 'For you and your colleagues: what is behind this URL?',
    maxPerMinuteAdvice:
      'At most so many, from each process of {product} that delivers. Leave it empty for no limit.',
    secretAdvice:
      'Copy it and store it on your server, like a password. It cannot be shown again; if it is lost, rotate it.',
    secretUse:
      'Your server uses it to verify that a request really comes from {product}. Anyone who knows it can forge requests.',
  },
  catalog: {
    lead: 'Every event that {product} can send you, and which of your webhooks subscribe to it.',
    subscribers: 'Your webhooks that subscribe to it',
    noExample: 'For this event {product} gives no example.',
    payloadFromSchema:
      'Placeholders that fit the schema of the event. Replace them with what your server expects.',
  },
  webhook: {
    troubleTitle: 'Your server is in trouble',
    overlap:
      'The secret was rotated. Until {time} every request is also signed with the old one, so that your server can change over without losing any.',
  },
  webhookDialog: {
    rotateStep3: 'Give your server the new one within that time. After that, the old one is no longer used.',
    endSecretAdvice:
      'Every request is then signed with the new secret alone. A server of yours that still has the old one refuses all of them. This cannot be undone.',
    recoverAdvice:
      'After an outage of your server, send what has failed in that time again, under the same ids. First see how many deliveries there are; that sends nothing.',
    verification: 'Verification code for your server',
    testWaiting: 'Waiting for your server to answer …',
    testReceived: 'Received: your server answered HTTP {status}.',
    testRefused: 'Not accepted: {failure}. Change your server, and send another test.',
    verificationAdvice:
      'Anyone can send a request to a public address. Verify the signature before you trust a request, and process each delivery id once.',
  },
  overview: {
    answered: 'Your server says:',
  },
  deliveries: {
    lead: 'Find what was sent to you: by the id that your server received, or by what the deliveries have in common.',
  },
  delivery: {
    answered: 'Your server answered HTTP {status}.',
    answeredAt: 'Your server answered HTTP {status} at {time}.',
    givenUp: {
      one: 'Given up after {count} attempt. Once the cause is fixed, send it again: it keeps its id, so that your server does not process it twice.',
      other:
        'Given up after {count} attempts. Once the cause is fixed, send it again: it keeps its id, so that your server does not process it twice.',
    },
    headersAdvice:
      'Those of attempt {number}, reconstructed from the record, which contains no signatures. The copied command is for a POSIX shell such as bash; replace each SIGNATURE in it, or your server refuses the request.',
  },
} as const satisfies PanelTexts;
