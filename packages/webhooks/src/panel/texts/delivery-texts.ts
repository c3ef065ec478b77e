/** The history of a webhook. */
export const HISTORY_TEXTS = {
  title: 'Delivery history',
  live: 'Refreshing automatically',
  loading: 'The history is loading',
  notLoaded: 'The history could not be loaded',
  pages: 'Pages of the history',
  filter: 'Filter the history',
  status: 'Status',
  eventFilter: 'Event, by its full name',
  noMatch: 'No delivery matches',
  noMatchAdvice: 'Enter the full name of an event.',
  showAll: 'Show all deliveries',
  empty: 'No deliveries yet',
  emptyAdvice:
    'As soon as an event that this webhook subscribes to happens, its delivery appears here. “Send test event” above sends one now.',
  emptyPaused: 'Nothing is sent while the webhook is paused. Activate it above.',
  missing: 'Did an event happen that is missing here?',
  event: 'Event',
  result: 'Result',
  attempts: 'Attempts',
  created: 'Created',
  http: 'HTTP {status}',
  notSent: 'Not sent yet',
  nextAttempt: '{failure}, next attempt {time}',
} as const;

/** The deliveries of a webhook over time. */
export const ACTIVITY_TEXTS = {
  title: 'Deliveries over time',
  range: 'Time range',
  day: '24 hours',
  week: '7 days',
  month: '30 days',
  loading: 'The chart is loading',
  notLoaded: 'The chart could not be loaded',
  none: 'No deliveries in this time.',
  splitHours:
    'Deliveries are counted by UTC hour, and midnight in your time zone lies within one: a day is accurate to half an hour.',
  showNumbers: 'Show the numbers',
  hourColumn: 'Hour',
  dayColumn: 'Day',
} as const;

/** One delivery: its outcome, its attempts and its request. */
export const DELIVERY_TEXTS = {
  notLoaded: 'The delivery could not be loaded',
  loading: 'The delivery is loading',
  label: 'Delivery {id}',
  heading: 'Delivery {id}, created {time}',
  close: 'Close delivery',
  received: 'Received',
  answered: 'The recipient answered HTTP {status}.',
  answeredAt: 'The recipient answered HTTP {status} at {time}.',
  givenUp: {
    one: 'Given up after {count} attempt. Once the cause is fixed, send it again: it keeps its id, so the recipient does not process it twice.',
    other:
      'Given up after {count} attempts. Once the cause is fixed, send it again: it keeps its id, so the recipient does not process it twice.',
  },
  onItsWay: 'On its way',
  firstAttempt: 'The first attempt: {wait} ({time}). This page updates automatically.',
  nextAttempt: 'It is tried again automatically: {wait} ({time}). This page updates automatically.',
  sendAgain: 'Send again',
  sentAgain: 'It is on its way again. This page shows the result.',
  activateFirst: 'Activate the webhook first.',
  attempts: 'Attempts',
  noneRecorded: 'No earlier attempt is recorded.',
  notKept: { one: '{count} older attempt is not kept.', other: '{count} older attempts are not kept.' },
  attempt: 'Attempt {number}: {outcome}',
  underWay: 'Attempt {number}: under way',
  dueAt: 'Due at {time}',
  took: '{time}, took {duration}',
  tookError: '{time}, took {duration}, {error}',
  response: {
    one: 'Response ({count} character)',
    other: 'Response ({count} characters)',
  },
  responseLabel: 'Response to attempt {number}',
  responseHeaders: {
    one: 'Response header ({count})',
    other: 'Response headers ({count})',
  },
  responseHeadersLabel: 'Headers of the response to attempt {number}',
  payload: 'Payload',
  copyBody: 'Copy body',
  body: 'Body sent',
  bodyAdvice: 'Indented for reading. “Copy body” copies it byte for byte as it is sent.',
  headers: 'Headers sent',
  headersAdvice:
    'Those of attempt {number}, reconstructed from the record, which contains no signatures. The copied command is for a POSIX shell such as bash; replace each SIGNATURE in it, or the recipient refuses the request.',
  noRequest: 'Nothing has been sent yet.',
  notRecorded: '(not recorded)',
  copyCurl: 'Copy as curl',
} as const;
