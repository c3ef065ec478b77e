/** The four steps of a customer who has no webhook yet. */
export const FIRST_VISIT_TEXTS = {
  title: 'Set up your first webhook',
  lead: 'Four steps, until your server receives its first event.',
  done: 'Done:',
  address: 'Say where your server listens',
  events: 'Choose the events',
  secret: 'Get the secret, and verify what arrives',
  secretLater: 'You get a secret, shown once, and the code that checks it.',
  secretAdvice:
    'Put the secret that you have stored into the settings of your server, and this code where it receives requests.',
  lostSecret: 'The secret is lost? Make a new one in the settings of the webhook.',
  isVerified: 'My server verifies requests',
  test: 'Send a test',
  testLater: 'A test event goes to your server. This step ticks itself when the answer is 2xx.',
  sendTest: 'Send test event',
  sendAnother: 'Send another test event',
  waiting: 'Waiting for the answer of your server. This page updates automatically.',
  received: 'Your server has answered with 2xx. It receives events from now on.',
  seeDelivery: 'See request and response',
  create: 'Continue',
  toWebhook: 'Go to the webhook',
  later: 'Do the rest later',
} as const;
