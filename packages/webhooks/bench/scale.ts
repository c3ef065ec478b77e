import { createWebhooks, defineEvents, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { inRounds, type TimedRun } from '../../../bench/rounds.ts';
import { encodePlace } from '../src/registry/delivery-cursor.ts';
import { RESULT_RULES } from '../src/storage/result-rules.ts';
import { type BenchDatabase, type BenchServer, benchServers } from './bench-database.ts';
import { type BenchStorage, claim, dispatchTo, resultsOf } from './claimed-deliveries.ts';
import { fillHistory, type History, LARGE_WEBHOOK } from './fill-history.ts';

/**
 * What grows with the history: each operation with 10,000 deliveries and with a million
 * (`BENCH_DELIVERIES`), of which each hundred has a webhook more, and each five hundred a customer.
 */
const FEW = 10_000;
const MANY = Number(process.env.BENCH_DELIVERIES ?? 1_000_000);
/** Times of the smaller one. */
const AT_MOST = 3;
const ROUNDS = 3;
const REPETITIONS = 3;
/** Deliveries of one claim, and one step of a purge or of a removal. */
const GROUP = 50;
const STEP = 100;
const DAY_MS = 86_400_000;

/** A database with a history, and engines over it. */
interface Filled {
  readonly database: BenchDatabase;
  readonly history: History;
  readonly storage: BenchStorage;
  /** A new one has kept no answer. */
  engine(): Webhooks;
}

/** What is measured: prepares, and answers how long the part that counts took in ms. */
type Operation = (filled: Filled) => Promise<number>;

const EVENTS = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
const CUSTOMER = 'customer-7';
/** One of its webhooks. */
const WEBHOOK = 7;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  dispatch: timed((webhooks) => webhooks.dispatch('order.paid', { total: 1 }, { tenant: CUSTOMER })),
  async claim({ storage, history }) {
    await dispatchTo(storage, someWebhooks(history));
    const start = performance.now();
    const claims = await claim(storage, GROUP);
    const ms = performance.now() - start;
    await storage.recordAttempts(resultsOf(claims), RESULT_RULES);
    return ms;
  },
  async result({ storage, history }) {
    await dispatchTo(storage, someWebhooks(history));
    const results = resultsOf(await claim(storage, GROUP));
    return await msOf(() => storage.recordAttempts(results, RESULT_RULES));
  },
  'first page': timed((webhooks) => webhooks.searchDeliveries()),
  'deep page': timed((webhooks, { deliveries, at }) => {
    const middle = Math.floor(deliveries / 2);
    const cursor = encodePlace('search', { createdAt: at(middle), id: middle + 1 });
    return webhooks.searchDeliveries({ cursor });
  }),
  'history of a webhook': timed((webhooks) => webhooks.deliveries(WEBHOOK)),
  'deep in a large history': timed((webhooks, { deliveries, at }) => {
    const middle = Math.floor(deliveries / 2);
    const cursor = encodePlace('history', { createdAt: at(middle), id: middle + 1 });
    return webhooks.deliveries(LARGE_WEBHOOK, { cursor });
  }),
  'failed in a large history': timed((webhooks) => webhooks.deliveries(LARGE_WEBHOOK, { status: 'failed' })),
  'one event in a large history': timed((webhooks) =>
    webhooks.deliveries(LARGE_WEBHOOK, { event: 'order.paid', limit: 20 }),
  ),
  'search of a customer': timed((webhooks) => webhooks.searchDeliveries({ tenant: CUSTOMER })),
  'search by a customer': timed((webhooks) => webhooks.forTenant(CUSTOMER).searchDeliveries()),
  'one webhook': timed((webhooks) => webhooks.get(LARGE_WEBHOOK)),
  'activity by day': timed((webhooks) => webhooks.activity(LARGE_WEBHOOK, { interval: 'day' })),
  list: timed((webhooks) => webhooks.list()),
  'list, down': timed((webhooks) => webhooks.list({ health: 'down', limit: 20 })),
  'list, the worst first': timed((webhooks) => webhooks.list({ sort: 'level', order: 'desc', limit: 20 })),
  overview: timed((webhooks) => webhooks.overview()),
  'recover, dry run': timed((webhooks) =>
    webhooks.recover({ since: new Date(Date.now() - 30 * DAY_MS), dryRun: true }),
  ),
  async purge({ storage, history }) {
    const createdBefore = history.at(Math.floor(history.deliveries / 2));
    return await msOf(() => storage.purgeDeliveries({ createdBefore, now: Date.now(), limit: STEP }));
  },
  async 'removal of a customer'(filled) {
    const tenant = `leaves-${Date.now()}`;
    const webhooks = filled.engine();
    const { id } = await webhooks.create({ tenant, url: 'https://1.1.1.1/', events: ['*'] });
    await dispatchTo(
      filled.storage,
      Array.from({ length: STEP }, () => id),
    );
    return await msOf(() => webhooks.removeTenant(tenant));
  },
};

for (const server of await benchServers()) {
  const few = await filled(server, FEW);
  const many = await filled(server, MANY);
  const operations = Object.entries(OPERATIONS);
  const [small, large] = [FEW, MANY].map((size) => (name: string) => `${name}, ${size.toLocaleString('en')}`);
  if (small === undefined || large === undefined) throw new Error('there are two sizes');
  const run = (name: string, on: Filled, operation: Operation): TimedRun => ({
    name,
    run: () => operation(on),
  });
  await inRounds(
    `${FEW} and ${MANY} deliveries: ${server.name}`,
    operations.flatMap(([name, operation]) => [
      run(small(name), few, operation),
      run(large(name), many, operation),
    ]),
    {
      rounds: ROUNDS,
      repetitions: REPETITIONS,
      bounds: operations.map(([name]) => ({ run: large(name), base: small(name), atMost: AT_MOST })),
    },
  );
  await few.database.remove();
  await many.database.remove();
}

async function filled(server: BenchServer, deliveries: number): Promise<Filled> {
  const database = await server.open();
  const start = performance.now();
  const history = await fillHistory(database, server, deliveries);
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.log(`${deliveries} deliveries written in ${seconds} s: ${server.name}`);
  const storage = kyselyStorage(database.db);
  return { database, history, storage, engine: () => createWebhooks({ storage, events: EVENTS }) };
}

/** A call of a new engine. */
function timed(call: (webhooks: Webhooks, history: History) => Promise<unknown>): Operation {
  return ({ engine, history }) => {
    const webhooks = engine();
    return msOf(() => call(webhooks, history));
  };
}

async function msOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** As many as a claim takes, in no order. */
function someWebhooks({ webhooks }: History): number[] {
  return Array.from({ length: GROUP }, (_, index) => 1 + ((index * 7_919) % webhooks));
}
