import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { inRounds } from '../../../bench/rounds.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';
import { type RecipientProcess, startRecipient } from './recipient-process.ts';

/**
 * A hundred healthy recipients, alone and beside one that never answers and has ten thousand older
 * deliveries due; and once more with a thousand webhooks between them that wait for a retry, past
 * which a claim steps one by one.
 */

const ROUNDS = 5;
const HEALTHY = 100;
const EVENTS = 4_000;
const OLDER = 10_000;
const RETRYING = 1_000;
const DAY_MS = 86_400_000;
const PAYLOAD = { id: 1, text: 'x'.repeat(1_000) };

const recipient = await startRecipient();
for (const server of await benchServers()) await benchFairness(server, recipient);
recipient.close();

async function benchFairness(server: BenchServer, { origin }: RecipientProcess): Promise<void> {
  const alone = await engineOn(await server.open(), origin);
  const beside = await engineOn(await server.open(), origin);
  const amid = await engineOn(await server.open(), origin, RETRYING);
  const engines = [alone, beside, amid];
  for (const { webhooks } of engines) await webhooks.start();
  await waitForRetries(amid.webhooks);
  for (const { webhooks } of [beside, amid]) await fillWithOlder(webhooks, origin);
  const [without, withOne] = [`${HEALTHY} healthy recipients`, 'the same beside one that hangs'];
  await inRounds(
    `Fairness, ${EVENTS} deliveries to healthy recipients: ${server.name}`,
    [
      { name: without, run: () => deliver(alone.webhooks) },
      { name: withOne, run: () => deliver(beside.webhooks) },
      { name: `and ${RETRYING} that wait for a retry`, run: () => deliver(amid.webhooks) },
    ],
    { rounds: ROUNDS, bounds: [{ run: withOne, base: without, atMost: 1 / 0.9 }] },
  );
  for (const { webhooks, database } of engines) {
    await webhooks.close();
    await database.remove();
  }
}

async function engineOn(
  database: BenchDatabase,
  origin: string,
  retrying = 0,
): Promise<{ readonly webhooks: Webhooks; readonly database: BenchDatabase }> {
  const webhooks = createWebhooks({
    storage: kyselyStorage(database.db),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    retry: { delaysMs: [DAY_MS] },
  });
  for (let index = 0; index < HEALTHY; index++) {
    await webhooks.create({ url: `${origin}/${index}`, events: [`healthy${index}.*`] });
    for (let other = 0; other < retrying / HEALTHY; other++) {
      await webhooks.create({ url: `${origin}/fails`, events: ['fails.*'] });
    }
  }
  return { webhooks, database };
}

/** Everybody who fails has failed once, and is due again tomorrow. */
async function waitForRetries(webhooks: Webhooks): Promise<void> {
  await webhooks.dispatch('fails.now', PAYLOAD);
  await webhooks.drain();
}

async function fillWithOlder(webhooks: Webhooks, origin: string): Promise<void> {
  await webhooks.create({ url: `${origin}/hangs`, events: ['hangs.*'] });
  for (let sent = 0; sent < OLDER; sent += 500) {
    await Promise.all(Array.from({ length: 500 }, () => webhooks.dispatch('hangs.now', PAYLOAD)));
  }
}

/**
 * Milliseconds per delivery, until the last one is recorded: those to the recipient that hangs are
 * never waited for.
 */
async function deliver(webhooks: Webhooks): Promise<number> {
  const target = webhooks.stats().succeeded + EVENTS;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: EVENTS }, (_, index) => webhooks.dispatch(`healthy${index % HEALTHY}.now`, PAYLOAD)),
  );
  while (webhooks.stats().succeeded < target) await new Promise((resolve) => setTimeout(resolve, 2));
  return (performance.now() - start) / EVENTS;
}
