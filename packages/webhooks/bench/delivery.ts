import { randomBytes } from 'node:crypto';
import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import PQueue from 'p-queue';
import { Pool } from 'undici';
import { inRounds } from '../../../bench/rounds.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';
import { type RecipientProcess, startRecipient } from './recipient-process.ts';

/**
 * Deliveries per second from dispatch to recorded result, beside a loop that only POSTs and beside
 * the worker that one would write by hand. The recipient runs in another process; 1 KB of payload,
 * 50 at once.
 */

const ROUNDS = 3;
const REPETITIONS = 5;
const DELIVERIES = 4_000;
const BY_HAND = 800;
const AT_ONCE = 50;
const TEXT = 'x'.repeat(1_000);
/** How many times the rate of the worker written by hand is promised; for MariaDB nothing is. */
const TIMES_BY_HAND: Readonly<Record<string, number>> = { 'SQLite on disk, WAL': 5, PostgreSQL: 3 };
const EGRESS = { allowedAddresses: ['127.0.0.1/32'] };

const recipient = await startRecipient();
for (const server of await benchServers()) await benchDelivery(server, recipient);
recipient.close();

async function benchDelivery(server: BenchServer, { origin }: RecipientProcess): Promise<void> {
  const database = await server.open();
  const handDatabase = await server.open({ isEmpty: true });
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
  const byHand = await handWritten(handDatabase, `${origin}/`);

  const [bare, hand, ours] = ['bare loop that only POSTs', 'written by hand', '@acme/webhooks'];
  const due = 'the same, from the due record to its end';
  const isSqlite = server.name.startsWith('SQLite');
  const timesByHand = TIMES_BY_HAND[server.name];
  await inRounds(
    `Deliveries, ${AT_ONCE} at once: ${server.name}`,
    [
      { name: bare, run: () => timed(DELIVERIES, () => bareLoop(pool)) },
      { name: hand, run: () => timed(BY_HAND, () => byHand(BY_HAND)) },
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
        { run: ours, base: hand, ...(timesByHand !== undefined && { atMost: 1 / timesByHand }) },
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

type HandTables = {
  readonly sent: {
    readonly delivery_id: string;
    readonly payload: string;
    readonly status: string;
    readonly status_code: number;
    readonly attempts: number;
    readonly created_at: string;
    readonly completed_at: string | null;
  };
};

/** One job per delivery, global fetch, an insert and two updates. */
async function handWritten({ db }: BenchDatabase, url: string): Promise<(count: number) => Promise<void>> {
  const hand = db.withTables<HandTables>();
  await db.schema
    .createTable('sent')
    .addColumn('delivery_id', 'varchar(32)', (column) => column.primaryKey().notNull())
    .addColumn('payload', 'text')
    .addColumn('status', 'varchar(16)')
    .addColumn('status_code', 'integer')
    .addColumn('attempts', 'integer')
    .addColumn('created_at', 'varchar(24)')
    .addColumn('completed_at', 'varchar(24)')
    .execute();
  await db.schema.createIndex('sent_by_status').on('sent').columns(['status', 'created_at']).execute();
  const headers = { 'content-type': 'application/json' };

  async function send(id: number): Promise<void> {
    const body = JSON.stringify(payload(id));
    const delivery_id = randomBytes(16).toString('hex');
    const created_at = new Date().toISOString();
    const row = { delivery_id, payload: body, status: 'pending', status_code: 0, attempts: 0, created_at };
    await hand
      .insertInto('sent')
      .values({ ...row, completed_at: null })
      .execute();
    await hand.updateTable('sent').set({ attempts: 1 }).where('delivery_id', '=', delivery_id).execute();
    const response = await fetch(url, { method: 'POST', body, headers });
    await response.arrayBuffer();
    await hand
      .updateTable('sent')
      .set({ status: 'success', status_code: response.status, completed_at: new Date().toISOString() })
      .where('delivery_id', '=', delivery_id)
      .execute();
  }

  return async (count) => {
    const queue = new PQueue({ concurrency: AT_ONCE });
    await queue.addAll(Array.from({ length: count }, (_, id) => () => send(id)));
  };
}
