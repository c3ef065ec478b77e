import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoProcesses } from './demo-processes.ts';
import { createRecipientClient, RECIPIENTS } from './recipient-client.ts';
import type { ShownRecipient } from './show-feed.ts';

const [WAREHOUSE] = RECIPIENTS;
const DEADLINE_MS = 60_000;
const POLL_MS = 50;

/**
 * Does once by itself what the demo is about: a log-in, an event whose callback is verified, and a
 * crash.
 *
 * @returns the exit code
 * @throws Error if something is not as it should be
 */
export async function runCheck(demo: DemoProcesses): Promise<number> {
  const recipients = createRecipientClient(demo.recipients.url);
  const url = (path: string) => `${demo.shop.url}${path}`;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const send = (path: string, body: object) =>
    fetch(url(path), { method: 'POST', headers, body: JSON.stringify(body) });

  const refused = await send('/api/auth/login', { login: 'customer', password: 'a wrong password' });
  expect('a wrong password is refused', refused.status === 401);
  expect('without a log-in, no order', (await send('/api/orders', {})).status === 401);
  const login = await send('/api/auth/login', { login: 'customer', password: 'demo password of customer' });
  headers.cookie = login.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
  expect('the customer logs in', login.status === 200);
  expect(
    'the panel is for administrators',
    (await fetch(url('/api/admin/webhooks'), { headers })).status === 403,
  );

  const first = await order('Desk');
  await everywhere(first);
  expect('an event arrives at each recipient, and its signature is verified', true);

  const forged = await fetch(recipients.urlOf(WAREHOUSE), { method: 'POST', body: '{}' });
  expect('one without a signature is refused', forged.status === 401);

  await recipients.change(WAREHOUSE, { isDown: true });
  const second = await order('Chair');
  await until(async () => {
    const shown = (await (await fetch(url('/demo'))).json()) as { readonly recipients: ShownRecipient[] };
    return shown.recipients.some(
      ({ name, deliveries }) => name === WAREHOUSE && deliveries.at(-1)?.state === 'waits',
    );
  });
  await demo.shop.end('SIGKILL');
  await recipients.change(WAREHOUSE, { isDown: false });
  await demo.startShop();
  await everywhere(second);
  const states = Object.values(await recipients.states());
  expect(
    'what waited when the shop was killed arrives after its restart, and once',
    states.every(({ twice }) => twice === 0),
  );
  expect('the log-in is still good', (await fetch(url('/api/orders'), { headers })).status === 200);
  expect('the shop ends in order', (await demo.shop.end()) === 0);
  return 0;

  async function order(item: string): Promise<number> {
    const answer = await send('/api/orders', { item, quantity: 1 });
    expect(`an order of a ${item} is placed`, answer.status === 201);
    return ((await answer.json()) as { readonly id: number }).id;
  }

  function everywhere(id: number): Promise<void> {
    return until(async () =>
      Object.values(await recipients.states()).every(({ orders }) => orders.includes(id)),
    );
  }
}

function expect(what: string, holds: boolean): void {
  if (!holds) throw new Error(`FAILED  ${what}`);
  console.log(`ok      ${what}`);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`FAILED  not within ${DEADLINE_MS / 1_000} s`);
    await sleep(POLL_MS);
  }
}
