import { createWebhooks, defineEvents, type Webhooks, type WebhooksOptions } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { sql } from 'kysely';
import { recordFigure } from '../../../bench/figures.ts';
import { percentile } from '../../../bench/race.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';
import { insertDeliveries, insertWebhooks } from './insert-deliveries.ts';
import { startRecipient } from './recipient-process.ts';

/**
 * How long events to a hundred healthy webhooks wait, one a second to each, alone and beside
 * others: the 95th percentile from the dispatch to the recorded result, what has not arrived
 * included. Measured after a minute. `FAIRNESS_WARM_UP_SECONDS` and `FAIRNESS_CASE` (a part of a
 * name) shorten a run.
 */
const WARM_UP_SECONDS = Number(process.env.FAIRNESS_WARM_UP_SECONDS ?? 60);
const SECONDS = WARM_UP_SECONDS + 20;
const HEALTHY = 100;
const EGRESS = {
  allowedAddresses: ['127.0.0.1/32'],
  dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'],
};
const MOST = 2;
/** Below this, a percentile says more of the timers of this machine than of others. */
const LEAST_MS = 100;

interface Others {
  readonly name: string;
  readonly path: string;
  readonly webhooks: number;
  /** Deliveries of each that are due when the engine starts. */
  readonly due: number;
  /** An event for each of them this often. Default: none. */
  readonly everySeconds?: number;
}

const healthyUntil = () => `hangs/${Date.now() + 20_000}`;

const CASES: readonly (() => Others)[] = [
  () => ({ name: 'alone', path: '', webhooks: 0, due: 0 }),
  ...[5, 60, 900, 1_500, 5_000].flatMap((webhooks) => [
    () => ({ name: `${webhooks} that hang`, path: 'hangs', webhooks, due: 1, everySeconds: 15 }),
    () => ({
      name: `${webhooks} that begin to hang`,
      path: healthyUntil(),
      webhooks,
      due: 1,
      everySeconds: 15,
    }),
  ]),
  () => ({ name: '12 that take 100 ms, with backlogs', path: 'takes/100', webhooks: 12, due: 5_000 }),
  () => ({ name: '30 that take 1.9 s, with backlogs', path: 'takes/1900', webhooks: 30, due: 1_000 }),
  () => ({ name: 'one with 100,000 due', path: 'takes/20', webhooks: 1, due: 100_000 }),
  () => ({ name: '1,000 that are busy', path: 'busy', webhooks: 1_000, due: 100, everySeconds: 15 }),
  () => ({ name: 'one that alternates', path: 'alternates', webhooks: 1, due: 1_000, everySeconds: 1 }),
  () => ({ name: 'one that never reads', path: 'never-reads', webhooks: 1, due: 1_000, everySeconds: 1 }),
  () => ({
    name: 'one that answers 1xx for ever',
    path: 'informs',
    webhooks: 1,
    due: 1_000,
    everySeconds: 1,
  }),
];

/**
 * Deliveries a second of one customer's webhook that has a backlog, alone and beside another customer
 * whose webhooks have backlogs, too: at least {@link LEAST_OF_ALONE} of alone. `FAIRNESS_DUE`
 * shortens the backlog of the last case.
 */
const LEAST_OF_ALONE = 0.8;
const OF_B = 2_000;
const OF_A = 40_000;

interface CustomerCase {
  /** How many webhooks the other customer has. */
  readonly webhooks: number;
  /** What is due to them together. */
  readonly due: number;
  /** How many webhooks there are of whom nothing is due. */
  readonly idle: number;
}

const CUSTOMER_CASES: readonly CustomerCase[] = [
  ...[0, 1, 20, 100].map((webhooks) => ({ webhooks, due: OF_A, idle: 0 })),
  { webhooks: 20, due: Number(process.env.FAIRNESS_DUE ?? 1_000_000), idle: 10_000 },
];
const WORKERS = [1, 4];

const recipient = await startRecipient();
for (const server of await benchServers()) {
  const title = `Fairness, p95 of ${HEALTHY} healthy webhooks after ${WARM_UP_SECONDS} s: ${server.name}`;
  console.log(`\n${title}`);
  let alone = LEAST_MS;
  for (const othersOf of CASES) {
    const others = othersOf();
    if (!others.name.includes(process.env.FAIRNESS_CASE ?? '')) continue;
    const { p95, unserved } = await measure(await server.open(), recipient.origin, others);
    if (others.webhooks === 0) alone = Math.max(alone, p95);
    recordFigure({ title, run: others.name, value: p95, unit: 'ms' });
    const isMissed = p95 > MOST * alone || unserved > 0;
    if (isMissed) process.exitCode = 1;
    console.log(
      `  ${others.name}: ${Math.round(p95)} ms, ${unserved} got nothing${isMissed ? ' (missed)' : ''}`,
    );
  }
  if ('customers'.includes(process.env.FAIRNESS_CASE ?? '')) await benchCustomers(server);
}
recipient.close();

async function benchCustomers(server: BenchServer): Promise<void> {
  for (const workers of WORKERS) {
    const title = `Deliveries a second of a customer with a backlog, workers: ${workers}, ${server.name}`;
    console.log(`\n${title}`);
    let alone = 0;
    for (const customers of CUSTOMER_CASES) {
      const rate = await rateOfCustomer(server, customers, workers);
      if (customers.webhooks === 0) alone = rate;
      const isMissed = rate < LEAST_OF_ALONE * alone;
      if (isMissed) process.exitCode = 1;
      const { webhooks, due, idle } = customers;
      const run = `beside ${webhooks} webhooks with ${webhooks > 0 ? due : 0} due, and ${idle} idle ones`;
      recordFigure({ title, run, value: rate, unit: '/s' });
      console.log(
        `  ${run}: ${Math.round(rate)}/s, ${(rate / alone).toFixed(2)} of alone${isMissed ? ' (missed)' : ''}`,
      );
    }
  }
}

/** Deliveries a second of B, whose webhook answers within 50 ms, beside the webhooks of A. */
async function rateOfCustomer(
  server: BenchServer,
  { webhooks, due, idle }: CustomerCase,
  workers: number,
): Promise<number> {
  const database = await server.open();
  const before = ofCustomers(database);
  const ofA: number[] = [];
  for (let index = 0; index < webhooks; index++) {
    const url = `${recipient.origin}/takes/50`;
    ofA.push((await before.forTenant('a').create({ url, events: ['*'] })).id);
  }
  await insertWebhooks(database, idle, true);
  const b = await before.forTenant('b').create({ url: `${recipient.origin}/takes/50/b`, events: ['*'] });
  await before.close();
  const at = new Date().toISOString();
  const insertDue = (ids: readonly number[], count: number, first: number) =>
    insertDeliveries(database, server, count, (index) => ({
      ...{ webhookId: ids[index % ids.length] ?? 0, number: first + index },
      ...{ event: 'order.paid', status: 'pending', at },
    }));
  if (webhooks > 0) await insertDue(ofA, due, 0);
  await insertDue([b.id], OF_B, due);
  if (server.name === 'PostgreSQL') await sql`vacuum analyze`.execute(database.db);
  let ended = 0;
  let over = () => {};
  const isOver = new Promise<void>((resolve) => {
    over = resolve;
  });
  const engines = Array.from({ length: workers }, () =>
    ofCustomers(database, {
      onAttempt({ tenant }) {
        if (tenant === 'b' && ++ended === OF_B) over();
      },
    }),
  );
  const start = performance.now();
  for (const engine of engines) await engine.start();
  await isOver;
  const rate = OF_B / ((performance.now() - start) / 1_000);
  for (const engine of engines) await engine.close();
  await database.remove();
  return rate;
}

function engineOn({ db }: BenchDatabase, hooks: Pick<WebhooksOptions, 'onAttempt'> = {}): Webhooks {
  return createWebhooks({ storage: kyselyStorage(db), egress: EGRESS, ...hooks });
}

function ofCustomers({ db }: BenchDatabase, hooks: Pick<WebhooksOptions, 'onAttempt'> = {}) {
  const storage = kyselyStorage(db);
  const events = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
  return createWebhooks({
    ...{ storage, events, tenants: 'required', maxWebhooksPerTenant: 100, egress: EGRESS },
    ...hooks,
  });
}

async function measure(database: BenchDatabase, origin: string, others: Others) {
  await prepare(database, origin, others);
  const dispatched: number[] = [];
  const waits: number[] = [];
  const served = new Set<number>();
  const webhooks = engineOn(database, {
    onAttempt({ event, webhookId }) {
      const [, second] = /^healthy\.t(\d+)$/.exec(event) ?? [];
      if (second === undefined) return;
      served.add(webhookId);
      const since = dispatched[Number(second)] ?? 0;
      if (Number(second) >= WARM_UP_SECONDS) waits.push(performance.now() - since);
    },
  });
  await webhooks.start();
  for (let second = 0; second < SECONDS; second++) {
    const start = performance.now();
    dispatched.push(start);
    const { everySeconds = Number.POSITIVE_INFINITY } = others;
    if ((second + 1) % everySeconds === 0) void webhooks.dispatch('others.now');
    await webhooks.dispatch(`healthy.t${second}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (performance.now() - start)));
  }
  const missing = HEALTHY * (SECONDS - WARM_UP_SECONDS) - waits.length;
  const age = performance.now() - (dispatched[WARM_UP_SECONDS] ?? 0);
  const p95 = percentile([...waits, ...Array(missing).fill(age)], 95);
  await webhooks.close();
  await database.remove();
  return { p95, unserved: HEALTHY - served.size };
}

/** Never started: what it dispatches waits for the engine of the run. */
async function prepare(
  database: BenchDatabase,
  origin: string,
  { path, webhooks, due }: Others,
): Promise<void> {
  const engine = engineOn(database);
  const create = (url: string, event: string) => engine.create({ url, events: [event] });
  for (let index = 0; index < Math.max(HEALTHY, webhooks); index++) {
    if (index < webhooks) await create(`${origin}/${path}`, 'others.*');
    if (index < HEALTHY) await create(`${origin}/${index}`, 'healthy.*');
  }
  for (let sent = 0; sent < due; sent += 100) {
    const some = Array.from({ length: Math.min(100, due - sent) }, () => engine.dispatch('others.now'));
    await Promise.all(some);
  }
  await engine.close();
}
