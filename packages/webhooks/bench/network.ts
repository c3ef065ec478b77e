import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { inRounds } from '../../../bench/rounds.ts';
import { POSTGRES_URL, postgres } from './bench-database.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { startRecipient } from './recipient-process.ts';

/**
 * Deliveries with a network between the worker and PostgreSQL, beside the same on loopback: one
 * worker of 50 slots, and recipients that take 20 ms.
 */

const DELAY_MS = 2;
const ANSWER_MS = 20;
const SLOTS = 50;
/** Each may have ten attempts at once. */
const WEBHOOKS = 20;
const EVENTS = 100;
const DELIVERIES = WEBHOOKS * EVENTS;
const ROUNDS = 3;
const REPETITIONS = 3;
/** Times the time on loopback. */
const AT_MOST = 1 / 0.7;

const recipient = await startRecipient();
const proxy = await startDelayingProxy(Number(new URL(POSTGRES_URL).port || 5_432), DELAY_MS);
const near = await openEngine();
const far = await openEngine(proxy.port);

const [loopback, network] = ['on loopback', `with ${DELAY_MS} ms each way`];
await inRounds(
  `Deliveries, ${SLOTS} slots, recipients of ${ANSWER_MS} ms: PostgreSQL`,
  [
    { name: loopback, run: () => deliver(near.webhooks) },
    { name: network, run: () => deliver(far.webhooks) },
  ],
  { rounds: ROUNDS, repetitions: REPETITIONS, bounds: [{ run: network, base: loopback, atMost: AT_MOST }] },
);
for (const { close } of [near, far]) await close();
await proxy.close();
recipient.close();

async function openEngine(port?: number) {
  const database = await postgres.open(port === undefined ? {} : { port });
  const webhooks = createWebhooks({
    storage: kyselyStorage(database.db),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    concurrency: SLOTS,
    onError: (error) => console.log(error),
  });
  for (let n = 0; n < WEBHOOKS; n++) await webhooks.create({ url: `${recipient.origin}/takes/${ANSWER_MS}` });
  await webhooks.start();
  return {
    webhooks,
    async close() {
      await webhooks.close();
      await database.remove();
    },
  };
}

/** @returns milliseconds for each delivery, from dispatch to recorded result */
async function deliver(webhooks: Webhooks): Promise<number> {
  const before = webhooks.stats().succeeded;
  const start = performance.now();
  await Promise.all(Array.from({ length: EVENTS }, (_, id) => webhooks.dispatch('order.created', { id })));
  await webhooks.drain();
  const took = performance.now() - start;
  const delivered = webhooks.stats().succeeded - before;
  if (delivered !== DELIVERIES) throw new Error(`${delivered} delivered instead of ${DELIVERIES}`);
  return took / DELIVERIES;
}
