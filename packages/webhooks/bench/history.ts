import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '@acme/webhooks/kysely';
import { sql } from 'kysely';
import { inRounds, type TimedRun } from '../../../bench/rounds.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';

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
const HISTORY_COLUMNS = [
  'webhook_id',
  'delivery_id',
  'event',
  'payload',
  'status',
  'status_code',
  'response_body',
  'attempts',
  'created_at',
  'completed_at',
  'next_attempt_at',
] as const;

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
async function insertHistory({ db }: BenchDatabase, server: BenchServer, count: number): Promise<void> {
  const at = new Date().toISOString();
  await db
    .insertInto('webhooks')
    .values(
      Array.from({ length: WEBHOOKS }, (_, index) => ({
        url: `https://recipient.example/${index}`,
        secret: 'whsec_c2VjcmV0',
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
  const chunk = 20_000;
  for (let from = 0; from < count; from += chunk) {
    const size = Math.min(chunk, count - from);
    await db
      .insertInto('webhook_deliveries')
      .columns(HISTORY_COLUMNS)
      .expression(rowsOf(server, from, size, count))
      .execute();
  }
}

function rowsOf(server: BenchServer, from: number, size: number, count: number) {
  const payload = JSON.stringify({ id: 1, text: 'x'.repeat(200) });
  const startMs = Date.now() - DAYS * 86_400_000;
  const rows = Array.from({ length: size }, (_, index) => {
    const number = from + index;
    const status = number % 1_000 === 7 ? 'pending' : number % 50 === 3 ? 'failed' : 'success';
    const at = new Date(startMs + ((DAYS * 86_400_000) / count) * number).toISOString();
    return {
      w: number % 10 === 9 ? 2 + (number % (WEBHOOKS - 1)) : 1,
      i: number.toString(16).padStart(32, '0'),
      e: number % 20 === 5 ? 'order.paid' : 'order.created',
      s: status,
      a: at,
    };
  });
  const json = JSON.stringify(rows);
  if (server.name === 'PostgreSQL') {
    return sql`select r.w, r.i, r.e, ${payload}, r.s, case r.s when 'success' then 200 when 'failed' then 503 else 0 end,
      case r.s when 'pending' then '' else 'ok' end, case r.s when 'pending' then 0 else 1 end, r.a,
      case r.s when 'pending' then null else r.a end, case r.s when 'pending' then r.a end
      from json_to_recordset(${json}::json) as r(w integer, i text, e text, s text, a text)`;
  }
  if (server.name === 'MySQL or MariaDB') {
    return sql`select r.w, r.i, r.e, ${payload}, r.s, case r.s when 'success' then 200 when 'failed' then 503 else 0 end,
      case r.s when 'pending' then '' else 'ok' end, case r.s when 'pending' then 0 else 1 end, r.a,
      case r.s when 'pending' then null else r.a end, case r.s when 'pending' then r.a end
      from json_table(${json}, '$[*]' columns (w int path '$.w', i varchar(32) path '$.i', e varchar(128) path '$.e',
        s varchar(16) path '$.s', a varchar(24) path '$.a')) as r`;
  }
  return sql`select value ->> 'w', value ->> 'i', value ->> 'e', ${payload}, value ->> 's',
    case value ->> 's' when 'success' then 200 when 'failed' then 503 else 0 end,
    case value ->> 's' when 'pending' then '' else 'ok' end, case value ->> 's' when 'pending' then 0 else 1 end,
    value ->> 'a', case value ->> 's' when 'pending' then null else value ->> 'a' end,
    case value ->> 's' when 'pending' then value ->> 'a' end from json_each(${json})`;
}
