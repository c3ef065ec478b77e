import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { Pool } from 'undici';
import { inRounds } from '../../../bench/rounds.ts';
import { type BenchServer, benchServers } from './bench-database.ts';
import { handWritten, handWrittenLoop } from './hand-written.ts';
import { type RecipientProcess, startRecipient } from './recipient-process.ts';

/**
 * Deliveries per second from dispatch to recorded result, beside a loop that only POSTs, the worker
 * that one would write by hand, and the loop that a database engineer would. The recipient runs in
 * another process; 1 KB of payload, 50 at once.
 */

const ROUNDS = 3;
const REPETITIONS = 5;
const DELIVERIES = 4_000;
const BY_HAND = 800;
const AT_ONCE = 50;
const TEXT = 'x'.repeat(1_000);
/** The most of the time of the worker written by hand. */
const OF_WORKER: Readonly<Record<string, number>> = {
  'SQLite on disk, WAL': 0.25,
  PostgreSQL: 0.35,
  'MySQL or MariaDB': 0.5,
};
/** The most of the processor's time of the loop; for MariaDB nothing is promised. */
const OF_LOOP: Readonly<Record<string, number>> = { 'SQLite on disk, WAL': 3, PostgreSQL: 2.5 };
const EGRESS = { allowedAddresses: ['127.0.0.1/32'] };

const recipient = await startRecipient();
for (const server of await benchServers()) await benchDelivery(server, recipient);
recipient.close();

async function benchDelivery(server: BenchServer, { origin }: RecipientProcess): Promise<void> {
  const database = await server.open();
  const handDatabase = await server.open({ isEmpty: true });
  const loopDatabase = await server.open({ isEmpty: true });
  const webhooks = createWebhooks({
    storage: kyselyStorage(database.db),
    egress: EGRESS,
    concurrency: AT_ONCE,
    maxConcurrentPerWebhook: AT_ONCE,
    onError: (error) => console.log(error),
  });
  await webhooks.create({ url: `${origin}/` });
  await webhooks.start();
  // Never started: what it dispatches is due, and nobody hears of it.
  const elsewhere = createWebhooks({ storage: kyselyStorage(database.db), egress: EGRESS });
  const pool = new Pool(origin, { connections: AT_ONCE });
  const byHand = await handWritten(handDatabase, { url: `${origin}/`, payload, atOnce: AT_ONCE });
  const loop = await handWrittenLoop(loopDatabase, server, { pool, payload, atOnce: AT_ONCE });

  const [bare, hand, ours] = ['bare loop that only POSTs', 'written by hand', '@acme/webhooks'];
  const looped = 'loop by a database engineer';
  const due = 'the same, from the due record to its end';
  const isSqlite = server.name.startsWith('SQLite');
  const [ofWorker, ofLoop] = [OF_WORKER[server.name], OF_LOOP[server.name]];
  await inRounds(
    `Deliveries, ${AT_ONCE} at once: ${server.name}`,
    [
      { name: bare, run: () => timed(DELIVERIES, () => bareLoop(pool)) },
      { name: hand, run: () => timed(BY_HAND, () => byHand(BY_HAND)) },
      { name: looped, run: () => timed(DELIVERIES, () => loop(DELIVERIES)) },
      { name: ours, run: () => timed(DELIVERIES, () => deliver(webhooks)) },
      {
        name: due,
        async run() {
          await dispatch(elsewhere);
          return timed(DELIVERIES, () => webhooks.drain());
        },
      },
    ],
    {
      rounds: ROUNDS,
      repetitions: REPETITIONS,
      bounds: [
        { run: ours, base: bare, ...(isSqlite && { atMost: 1 / 0.4 }) },
        { run: due, base: bare },
        { run: ours, base: hand, ...(ofWorker !== undefined && { atMost: ofWorker }) },
        { run: ours, base: looped, of: 'processor', ...(ofLoop !== undefined && { atMost: ofLoop }) },
      ],
    },
  );
  const before = database.statements();
  await deliver(webhooks);
  const statements = ((database.statements() - before) / DELIVERIES).toFixed(2);
  console.log(`  statements per delivery, begin and commit included: ${statements}`);
  for (const engine of [webhooks, elsewhere]) await engine.close();
  await pool.close();
  await database.remove();
  await handDatabase.remove();
  await loopDatabase.remove();
}

/** 1 KB, no two alike: what all have in common may be written once. */
function payload(id: number): { readonly id: number; readonly text: string } {
  return { id, text: TEXT };
}

async function timed(pieces: number, run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / pieces;
}

async function bareLoop(pool: Pool): Promise<void> {
  const body = JSON.stringify(payload(0));
  let sent = 0;
  const post = async () => {
    while (sent < DELIVERIES) {
      sent += 1;
      const headers = { 'content-type': 'application/json' };
      const response = await pool.request({ path: '/', method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, post));
}

async function deliver(webhooks: Webhooks): Promise<void> {
  const before = webhooks.stats().succeeded;
  await dispatch(webhooks);
  await webhooks.drain();
  const delivered = webhooks.stats().succeeded - before;
  if (delivered !== DELIVERIES) throw new Error(`${delivered} delivered instead of ${DELIVERIES}`);
}

async function dispatch(webhooks: Webhooks): Promise<void> {
  await Promise.all(
    Array.from({ length: DELIVERIES }, (_, id) => webhooks.dispatch('order.created', payload(id))),
  );
}
