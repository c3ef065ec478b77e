import { createWebhooks, type Webhooks, type WebhooksOptions } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { percentile } from '../../../bench/race.ts';
import { inRounds } from '../../../bench/rounds.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';
import { type RecipientProcess, startRecipient } from './recipient-process.ts';

/**
 * How long 300 deliveries to a hundred healthy webhooks wait beside recipients that hang or are
 * slow, each with a large backlog: the 95th percentile, from the dispatch to the recorded result.
 * Measured from the first timeouts on: before them, an attempt's timeout is the bound.
 */

const ROUNDS = 3;
const HEALTHY = 100;
const EVENTS = 300;
/** Ends the wait for the first timeouts early; an engine's default is 15 s. */
const TIMEOUT_MS = 2_500;
/** Of more webhooks that hang than there are slots, each has had its first timeout by then. */
const KNOWN_AFTER_MS = 2 * TIMEOUT_MS + 500;
const DAY_MS = 86_400_000;
const MOST = 2;
const LIMIT_MS = 60_000;
const PAYLOAD = { id: 1, text: 'x'.repeat(1_000) };

interface Neighbours {
  readonly name: string;
  readonly path: '/hangs' | '/slow';
  readonly webhooks: number;
  readonly dueOfEach: number;
}

const ALONE: Neighbours = { name: '100 healthy recipients', path: '/hangs', webhooks: 0, dueOfEach: 0 };
const SATURATED: readonly Neighbours[] = [
  { name: 'the same beside 5 that hang', path: '/hangs', webhooks: 5, dueOfEach: 500 },
  { name: 'beside 12 that hang', path: '/hangs', webhooks: 12, dueOfEach: 500 },
  { name: 'beside 60 that hang', path: '/hangs', webhooks: 60, dueOfEach: 500 },
  { name: 'beside 12 that take 100 ms', path: '/slow', webhooks: 12, dueOfEach: 2_000 },
];

const recipient = await startRecipient();
for (const server of await benchServers()) await benchLatency(server, recipient);
recipient.close();

async function benchLatency(server: BenchServer, recipient: RecipientProcess): Promise<void> {
  const databases = [];
  for (const neighbours of [ALONE, ...SATURATED]) {
    const database = await server.open();
    await prepare(database, recipient, neighbours);
    databases.push({ name: neighbours.name, database });
  }
  await inRounds(
    `Latency, 95 of 100 of ${EVENTS} deliveries to ${HEALTHY} healthy webhooks: ${server.name}`,
    databases.map(({ name, database }) => ({ name, run: () => longestOf(database) })),
    { rounds: ROUNDS, bounds: SATURATED.map(({ name }) => ({ run: name, base: ALONE.name, atMost: MOST })) },
  );
  for (const { database } of databases) await database.remove();
}

function engineOn(database: BenchDatabase, hooks: Pick<WebhooksOptions, 'onAttempt'> = {}): Webhooks {
  return createWebhooks({
    storage: kyselyStorage(database.db),
    egress: { allowedAddresses: ['127.0.0.1/32'], timeoutMs: TIMEOUT_MS },
    retry: { delaysMs: [DAY_MS] },
    ...hooks,
  });
}

/** Never started: what it dispatches waits for the engine of a run. */
async function prepare(
  database: BenchDatabase,
  { origin }: RecipientProcess,
  neighbours: Neighbours,
): Promise<void> {
  const webhooks = engineOn(database);
  for (let index = 0; index < HEALTHY; index++) {
    await webhooks.create({ url: `${origin}/${index}`, events: ['healthy.*'] });
  }
  for (let index = 0; index < neighbours.webhooks; index++) {
    await webhooks.create({ url: `${origin}${neighbours.path}`, events: ['waits.*'] });
  }
  for (let sent = 0; sent < neighbours.dueOfEach; sent += 100) {
    await Promise.all(Array.from({ length: 100 }, () => webhooks.dispatch('waits.now', PAYLOAD)));
  }
  await webhooks.close();
}

/**
 * In a process that has just started, once it knows who hangs: milliseconds until 95 of 100 have
 * been recorded.
 */
async function longestOf(database: BenchDatabase): Promise<number> {
  const ended: number[] = [];
  const webhooks = engineOn(database, {
    onAttempt: ({ event }) => {
      if (event === 'healthy.now') ended.push(performance.now());
    },
  });
  await webhooks.start();
  await new Promise((resolve) => setTimeout(resolve, KNOWN_AFTER_MS));
  const start = performance.now();
  for (let round = 0; round < EVENTS / HEALTHY; round++) await webhooks.dispatch('healthy.now', PAYLOAD);
  while (ended.length < EVENTS) {
    if (performance.now() - start > LIMIT_MS)
      throw new Error(`${ended.length} of ${EVENTS} arrived in ${LIMIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await webhooks.close();
  return percentile(ended, 95) - start;
}
