import type { NewAccount } from '../app/accounts.ts';

export interface GuideFacts {
  readonly appUrl: string;
  readonly recipientUrl: string;
  readonly databaseFile: string;
  readonly isDatabaseKept: boolean;
  readonly isSigningKeyKept: boolean;
  readonly retryDelaysMs: readonly number[];
  readonly accounts: readonly NewAccount[];
}

/**
 * Uses `-d` and a header, because curl has `--json` only since 7.82. Once no supported system has
 * an older curl, `--json` can replace them.
 */
const CURL = "curl -sw '\\n'";
const JSON_TYPE = "-H 'Content-Type: application/json'";

/** What the demo prints when it runs: one address, one log-in, and where to find the rest. */
export function demoSummary({ appUrl, accounts }: GuideFacts): string {
  const admin = accounts.find(({ login }) => login === 'admin');
  return `
The demo runs: a shop that sells, a worker and three recipients, on this machine only. Break them.

  Open    ${appUrl}   you are logged in there
  Log in  elsewhere as ${admin?.login} with the password "${admin?.password}"

Ctrl-C ends it. All addresses, log-ins and commands for curl: npm run demo -- --verbose
`;
}

/** What `--verbose` prints instead: addresses, log-ins, and commands to paste. */
export function demoGuide(facts: GuideFacts): string {
  const { appUrl, recipientUrl, databaseFile, accounts } = facts;
  const delays = facts.retryDelaysMs.map((delay) => `${delay / 1_000} s`).join(', ');
  const [admin, customer] = [credentials(accounts, 'admin'), credentials(accounts, 'customer')];
  return `
The demo runs. Ctrl-C ends it.

  App           ${appUrl}   the show; ${appUrl}/try drives all this step by step: open them in a browser
  Panel         ${appUrl}/admin/webhooks   webhooks and their history: open it in a browser, log in as admin
  Recipient     ${recipientUrl}   its /received.json lists what arrived
  Database      ${databaseFile}${facts.isDatabaseKept ? '' : '   (new, and removed at the end; DATABASE_FILE=… keeps one)'}
  Signing key   ${facts.isSigningKeyKept ? 'SIGNING_KEY' : 'random, so log-ins end with this start; SIGNING_KEY=… keeps one'}
  Retries       after ${delays} (RETRY_DELAYS_MS=…; the library's default is 30 s, 5 min, 50 min)

Webhooks reach public addresses only. This demo allows 127.0.0.1 as well, for the recipient above: an exception
for the demo only, that one address and no other, made in examples/quickstart/src/app/engine.ts.

Log-ins (an access token lasts 5 minutes; POST …/auth/status renews it for a day)

${accounts.map(accountLine).join('\n')}

In the browser: ${appUrl}/try does the most with one click each. Or open the panel and log in as admin. (${appUrl}/admin/forgot-password sets a new password:
the mail is printed here.) Add a webhook with the URL ${recipientUrl}/hooks/panel, and send a test event: it fails with HTTP 401, for the recipient does not know the secret yet. Give it the secret and send again:

     curl -d '{"secret": "whsec_…"}' ${JSON_TYPE} ${recipientUrl}/secrets/panel

Or paste these into another terminal.

1. Log in as the administrator. The cookie goes into a file.

   ${CURL} -c /tmp/admin.cookies ${JSON_TYPE} -d '${admin}' ${appUrl}/api/admin/auth/login

2. Register a webhook for every order. The answer shows its secret, this once, and goes straight to the recipient.

   ${CURL} -b /tmp/admin.cookies ${JSON_TYPE} -d '{"url": "${recipientUrl}/hooks/mine", "events": ["order.*"]}' ${appUrl}/api/admin/webhooks | tee /dev/stderr | curl -s ${JSON_TYPE} -d @- ${recipientUrl}/secrets/mine

3. Log in as the customer and place an order. The recipient shows what arrived.

   ${CURL} -c /tmp/customer.cookies ${JSON_TYPE} -d '${customer}' ${appUrl}/api/auth/login
   ${CURL} -b /tmp/customer.cookies ${JSON_TYPE} -d '{"item": "Lamp", "quantity": 2}' ${appUrl}/api/orders

4. See the webhooks, and what became of each delivery of the first, which the demo has seeded.

   ${CURL} -b /tmp/admin.cookies ${appUrl}/api/admin/webhooks
   ${CURL} -b /tmp/admin.cookies ${appUrl}/api/admin/webhooks/1/deliveries

5. See refused: an address inside a network, and the customer at the routes of administrators.

   ${CURL} -b /tmp/admin.cookies ${JSON_TYPE} -d '{"url": "http://169.254.169.254/"}' ${appUrl}/api/admin/webhooks
   ${CURL} -b /tmp/customer.cookies ${appUrl}/api/admin/webhooks

More events: user.registered (POST /api/auth/register), user.updated (PUT /api/profile), order.cancelled
(DELETE /api/orders/1), user.deleted (DELETE /api/admin/users/1). More hooks: /hooks/flaky fails twice per
delivery and then accepts, /hooks/broken never accepts.
`;
}

function accountLine({ login, password, scopes }: NewAccount): string {
  const path = scopes.length > 0 ? '/api/admin/auth/login' : '/api/auth/login';
  return `  ${login.padEnd(12)} ${password.padEnd(28)} ${path.padEnd(22)} ${scopes.join(', ') || 'user'}`;
}

function credentials(accounts: readonly NewAccount[], login: string): string {
  const account = accounts.find((candidate) => candidate.login === login);
  return JSON.stringify({ login, password: account?.password });
}
