import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createWebhooks, defineEvents, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { inRounds, type TimedRun } from '../../../bench/rounds.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';

/**
 * What the promises about dispatching cost, beside bare inserts into the same table on the same
 * server.
 */

const ROUNDS = 9;
/** In one run: with a hundred, what is measured is also how fast code is compiled. */
const DISPATCHES = 500;
const FAN_OUT = 1_000;
/** Dispatches of one burst. */
const BURST = 500;
const MANY_WEBHOOKS = 100_000;
/** Customers, each with a webhook for everything. */
const MANY_TENANTS = 10_000;
/** Ratios need more than one run to be told from what else the machine does. */
const REPETITIONS = 3;
/**
 * The `dist` of another build, to compare a dispatch without tenants with:
 * `BENCH_BEFORE=/elsewhere/packages/webhooks/dist`.
 */
const BEFORE = process.env.BENCH_BEFORE;
/** How many bare inserts a dispatch may cost. */
const MAX_BARE_INSERTS: Readonly<Record<string, number>> = {
  'SQLite on disk, WAL': 2.5,
  PostgreSQL: 2.2,
  'MySQL or MariaDB': 2.8,
};
const FOR_TENANTS = defineEvents({ 'order.created': { label: 'Order created', audience: 'tenant' } });
const tenantOf = (index: number) => `tenant-${index}`;
const PAYLOAD = { id: 1, text: 'x'.repeat(1_000) };
const PAYLOAD_TEXT = JSON.stringify(PAYLOAD);

for (const server of await benchServers()) await benchDispatch(server);

async function benchDispatch(server: BenchServer): Promise<void> {
  const opened: BenchDatabase[] = [];
  const open = async () => {
    const database = await server.open();
    opened.push(database);
    return database;
  };
  const bare = await open();
  await register(bare, 1, () => '*');
  const one = await engineWith(await open(), 1, () => '*');
  const ten = await engineWith(await open(), 10, () => 'order.*');
  const many = await engineWith(await open(), MANY_WEBHOOKS, (index) =>
    index % (MANY_WEBHOOKS / 10) === 0 ? 'order.*' : `other${index % 5_000}.*`,
  );
  const fan = await engineWith(await open(), FAN_OUT, () => '*');
  const tenant = await engineWith(await open(), 1, () => '*', tenantOf);
  const tenants = await engineWith(await open(), MANY_TENANTS, () => '*', tenantOf);

  await benchOneAfterTheOther(server, { bare, one, ten, many });
  await benchTenants(server, { one, tenant, tenants });
  if (BEFORE !== undefined) await benchBefore(server, { one }, BEFORE);
  await benchFanOut(server, { bare, fan });
  await benchBursts(server, { bare, one });
  await printStatements(one);
  for (const database of opened) await database.remove();
}

interface Contestants {
  /** A database for bare inserts. */
  readonly bare: BenchDatabase;
  readonly one: Engine;
  readonly ten: Engine;
  readonly many: Engine;
  readonly fan: Engine;
}

async function benchOneAfterTheOther(
  { name }: BenchServer,
  { bare, one, ten, many }: Omit<Contestants, 'fan'>,
): Promise<void> {
  await inRounds(
    `One dispatch after the other, 1 KB, awaited: ${name}`,
    [
      perPiece('one bare insert', DISPATCHES, () => insertBare(bare, 1)),
      perPiece('dispatch, one match', DISPATCHES, () => dispatch(one.webhooks, 1)),
      perPiece('dispatch, 10 matches of 10 webhooks', DISPATCHES, () => dispatch(ten.webhooks, 10)),
      perPiece('dispatch, 10 matches of 100,000 webhooks', DISPATCHES, () => dispatch(many.webhooks, 10)),
    ],
    {
      rounds: ROUNDS / REPETITIONS,
      repetitions: REPETITIONS,
      bounds: [
        {
          run: 'dispatch, one match',
          base: 'one bare insert',
          atMost: MAX_BARE_INSERTS[name] ?? 1,
        },
        {
          run: 'dispatch, 10 matches of 100,000 webhooks',
          base: 'dispatch, 10 matches of 10 webhooks',
          atMost: 1.5,
        },
      ],
    },
  );
}

/** One match for a customer, among as many as there may be. */
async function benchTenants(
  { name }: BenchServer,
  { one, tenant, tenants }: { readonly one: Engine; readonly tenant: Engine; readonly tenants: Engine },
): Promise<void> {
  const oneOf = ({ webhooks }: Engine) => dispatch(webhooks, 1, { tenant: tenantOf(0), only: 'tenant' });
  const few = 'dispatch for the only tenant';
  const many = `dispatch for one of ${MANY_TENANTS.toLocaleString('en')} tenants`;
  await inRounds(
    `One match of a tenant's *, awaited: ${name}`,
    [
      perPiece('dispatch without tenants', DISPATCHES, () => dispatch(one.webhooks, 1)),
      perPiece(few, DISPATCHES, () => oneOf(tenant)),
      perPiece(many, DISPATCHES, () => oneOf(tenants)),
    ],
    {
      rounds: ROUNDS,
      repetitions: REPETITIONS,
      bounds: [
        { run: many, base: few, atMost: 1.1 },
        { run: few, base: 'dispatch without tenants' },
      ],
    },
  );
}

/** What a dispatch without tenants costs beside the same of another build. */
async function benchBefore(
  server: BenchServer,
  { one }: { readonly one: Engine },
  folder: string,
): Promise<void> {
  const database = await server.open({ isEmpty: true });
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
  const other = { ...(await load('index.js')), ...(await load('kysely/index.js')) };
  await other.migrateWebhooks(database.db);
  await register(database, 1, () => '*');
  const webhooks = other.createWebhooks({ storage: other.kyselyStorage(database.db) });
  const [present, before] = ['dispatch, one match', 'dispatch, one match, the other build'];
  await inRounds(
    `A dispatch without tenants: ${server.name}`,
    [
      perPiece(present, DISPATCHES, () => dispatch(one.webhooks, 1)),
      perPiece(before, DISPATCHES, () => dispatch(webhooks, 1)),
    ],
    { rounds: ROUNDS, repetitions: REPETITIONS, bounds: [{ run: present, base: before, atMost: 1.02 }] },
  );
  await database.remove();
}

async function benchFanOut(
  { name }: BenchServer,
  { bare, fan }: Pick<Contestants, 'bare' | 'fan'>,
): Promise<void> {
  await inRounds(
    `One event to ${FAN_OUT} webhooks: ${name}`,
    [
      perPiece(`one bare insert of ${FAN_OUT} rows`, 2, () => insertBare(bare, FAN_OUT)),
      perPiece(`dispatch, ${FAN_OUT} matches`, 2, () => dispatch(fan.webhooks, FAN_OUT)),
    ],
    {
      rounds: ROUNDS / REPETITIONS,
      repetitions: REPETITIONS,
      bounds: [
        { run: `dispatch, ${FAN_OUT} matches`, base: `one bare insert of ${FAN_OUT} rows`, atMost: 2 },
      ],
    },
  );
}

async function benchBursts(
  { name }: BenchServer,
  { bare, one }: Pick<Contestants, 'bare' | 'one'>,
): Promise<void> {
  await inRounds(
    `Dispatches of one burst: ${name}`,
    [
      perPiece('500 bare inserts, one after the other', 500, () => insertBare(bare, 1)),
      perBurst('500 dispatches at once, one match each', () => dispatch(one.webhooks, 1)),
    ],
    { rounds: ROUNDS },
  );
  await inRounds(
    `Dispatches of one burst, each with a key of its own: ${name}`,
    [
      perBurst('500 dispatches at once', () => dispatch(one.webhooks, 1)),
      perBurst('500 dispatches at once, each with a key', () =>
        dispatch(one.webhooks, 1, { idempotencyKey: randomUUID() }),
      ),
    ],
    {
      rounds: ROUNDS / REPETITIONS,
      repetitions: REPETITIONS,
      bounds: [{ run: '500 dispatches at once, each with a key', base: '500 dispatches at once', atMost: 2 }],
    },
  );
}

interface Engine {
  readonly webhooks: Webhooks;
  readonly database: BenchDatabase;
}

/** An engine that writes and never delivers: it is not started. */
async function engineWith(
  database: BenchDatabase,
  webhooks: number,
  patternOf: (index: number) => string,
  whose?: (index: number) => string,
): Promise<Engine> {
  await register(database, webhooks, patternOf, whose);
  const storage = kyselyStorage(database.db);
  return { database, webhooks: createWebhooks({ storage, ...(whose && { events: FOR_TENANTS }) }) };
}

/**
 * Registered through the tables: a hundred thousand registrations one by one would take longer than
 * the benchmark.
 */
async function register(
  { db }: BenchDatabase,
  count: number,
  patternOf: (index: number) => string,
  whose?: (index: number) => string,
): Promise<void> {
  const at = new Date().toISOString();
  const chunk = 1_000;
  for (let start = 0; start < count; start += chunk) {
    const indexes = Array.from({ length: Math.min(chunk, count - start) }, (_, index) => start + index);
    await db
      .insertInto('webhooks')
      .values(
        indexes.map((index) => ({
          ...(whose && { tenant: whose(index) }),
          url: `https://recipient.example/${index}`,
          secret: 'whsec_c2VjcmV0',
          events: JSON.stringify([patternOf(index)]),
          created_at: at,
          updated_at: at,
        })),
      )
      .execute();
  }
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .$if(whose !== undefined, (select) => select.select('tenant'))
    .orderBy('id')
    .execute();
  for (let start = 0; start < rows.length; start += chunk) {
    const patterns = rows.slice(start, start + chunk).map(({ id, events, tenant }) => ({
      ...(tenant !== undefined && { tenant }),
      webhook_id: id,
      pattern: String(JSON.parse(events)[0]),
    }));
    await db.insertInto('webhook_patterns').values(patterns).execute();
  }
}

async function insertBare({ db }: BenchDatabase, rows: number): Promise<void> {
  const at = new Date().toISOString();
  await db
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: rows }, () => ({
        webhook_id: 1,
        delivery_id: randomBytes(16).toString('hex'),
        event: 'order.created',
        payload: PAYLOAD_TEXT,
        created_at: at,
        next_attempt_at: at,
      })),
    )
    .execute();
}

async function dispatch(
  webhooks: Pick<Webhooks, 'dispatch'>,
  matches: number,
  options?: Parameters<Webhooks['dispatch']>[2],
): Promise<void> {
  const { deliveries } = await webhooks.dispatch('order.created', PAYLOAD, options);
  if (deliveries !== matches) throw new Error(`${deliveries} deliveries instead of ${matches}`);
}

function perPiece(name: string, pieces: number, run: () => Promise<void>): TimedRun {
  return {
    name,
    async run() {
      const start = performance.now();
      for (let piece = 0; piece < pieces; piece++) await run();
      return (performance.now() - start) / pieces;
    },
  };
}

function perBurst(name: string, dispatchOne: () => Promise<void>): TimedRun {
  return {
    name,
    async run() {
      const start = performance.now();
      await Promise.all(Array.from({ length: BURST }, dispatchOne));
      return (performance.now() - start) / BURST;
    },
  };
}

async function printStatements({ webhooks, database }: Engine): Promise<void> {
  const before = database.statements();
  await dispatch(webhooks, 1);
  const single = database.statements() - before;
  const perDispatch = async (keyOf: () => string | undefined) => {
    const start = database.statements();
    await Promise.all(
      Array.from({ length: BURST }, () => dispatch(webhooks, 1, { idempotencyKey: keyOf() })),
    );
    return ((database.statements() - start) / BURST).toFixed(2);
  };
  const grouped = await perDispatch(() => undefined);
  const keyed = await perDispatch(randomUUID);
  console.log(
    `  statements: ${single} for a dispatch by itself, ${grouped} for one of 500 at once, ${keyed} with a key`,
  );
}
