import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '@acme/webhooks/kysely';
import { sql } from 'kysely';
import { inRounds, type TimedRun } from '../../../bench/rounds.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';
import { insertDeliveries, insertWebhooks } from './insert-deliveries.ts';

/**
 * What an administrator's pages cost with a thousand deliveries and with a million.
 *
 * The deliveries are written by one statement into the tables of the first migration, of which the
 * later ones then make what they need: a million dispatches and attempts would take minutes.
 */

const ROUNDS = 15;
const CALLS = 40;
const WEBHOOKS = 50;
const DAYS = 30;

for (const server of await benchServers()) await benchHistory(server);

async function benchHistory(server: BenchServer): Promise<void> {
  const few = await engineWith(await server.open({ isEmpty: true }), server, 1_000);
  const many = await engineWith(await server.open({ isEmpty: true }), server, 1_000_000);
  const operations: Readonly<Record<string, (webhooks: Webhooks) => Promise<unknown>>> = {
    list: (webhooks) => webhooks.list(),
    detail: (webhooks) => webhooks.get(1),
    'activity by day': (webhooks) => webhooks.activity(1, { interval: 'day' }),
    'activity by hour': (webhooks) => webhooks.activity(1, { interval: 'hour' }),
    history: (webhooks) => webhooks.deliveries(1),
    // As many as the smaller history has: a longer page would be compared with a shorter one.
    'history, failed': (webhooks) => webhooks.deliveries(1, { status: 'failed', limit: 15 }),
    'history, one event': (webhooks) => webhooks.deliveries(1, { event: 'order.paid' }),
  };
  for (const [name, operation] of Object.entries(operations)) {
    const [small, large] = [`${name}, 1,000 deliveries`, `${name}, 1,000,000 deliveries`];
    await inRounds(
      `${name}: ${server.name}`,
      [calls(small, () => operation(few.webhooks)), calls(large, () => operation(many.webhooks))],
      { rounds: ROUNDS, bounds: [{ run: large, base: small, atMost: 2 }] },
    );
  }
  await few.database.remove();
  await many.database.remove();
}

function calls(name: string, call: () => Promise<unknown>): TimedRun {
  return {
    name,
    async run() {
      const start = performance.now();
      for (let index = 0; index < CALLS; index++) await call();
      return (performance.now() - start) / CALLS;
    },
  };
}

async function engineWith(
  database: BenchDatabase,
  server: BenchServer,
  deliveries: number,
): Promise<{ readonly webhooks: Webhooks; readonly database: BenchDatabase }> {
  const { db } = database;
  const start = performance.now();
  const [name, first] = Object.entries(webhookMigrations)[0] ?? [];
  if (name === undefined || first === undefined) throw new Error('there is no first migration');
  await first.up(db);
  await db.schema
    .createTable('webhook_migrations')
    .addColumn('name', 'varchar(100)', (column) => column.primaryKey().notNull())
    .addColumn('applied_at', 'varchar(24)', (column) => column.notNull())
    .execute();
  await db.insertInto('webhook_migrations').values({ name, applied_at: new Date().toISOString() }).execute();
  await insertHistory(database, server, deliveries);
  await migrateWebhooks(db);
  if (server.name === 'PostgreSQL') await sql`analyze`.execute(db);
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.log(`${deliveries} deliveries written in ${seconds} s: ${server.name}`);
  return { database, webhooks: createWebhooks({ storage: kyselyStorage(db) }) };
}

/** Nine of ten belong to the first webhook; one in fifty failed, one in a thousand is pending. */
async function insertHistory(database: BenchDatabase, server: BenchServer, count: number): Promise<void> {
  await insertWebhooks(database, WEBHOOKS);
  const startMs = Date.now() - DAYS * 86_400_000;
  await insertDeliveries(database, server, count, (number) => ({
    number,
    webhookId: number % 10 === 9 ? 2 + (number % (WEBHOOKS - 1)) : 1,
    event: number % 20 === 5 ? 'order.paid' : 'order.created',
    status: number % 1_000 === 7 ? 'pending' : number % 50 === 3 ? 'failed' : 'success',
    at: new Date(startMs + ((DAYS * 86_400_000) / count) * number).toISOString(),
  }));
}
