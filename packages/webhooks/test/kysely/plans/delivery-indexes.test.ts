import { CompiledQuery, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { DeliverySearch } from '../../../src/storage/delivery-search.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { stepsOf } from './postgres-plan.ts';

const WEBHOOKS = 10;
const DISPATCHES = 1_000;

/** Where all failures are few, PostgreSQL may as well read those of one webhook among them. */
const OF_WEBHOOK = 'webhook_deliveries_failed_by_webhook';
const FAILED = 'webhook_deliveries_failed';

const DAY = { createdFrom: '2026-11-20T00:00:00.000Z', createdBefore: '2026-11-21T00:00:00.000Z' };

/** What each index of the deliveries is for. */
const USES: readonly [string, string, (on: WebhookStorage) => Promise<unknown>][] = [
  ['a claim', 'webhook_deliveries_ready', (on) => on.claimDueDeliveries({ ...CLAIM, now: Date.now() })],
  ["a webhook's pending", 'webhook_deliveries_ready_by_webhook', find({ webhookId: 3, status: 'pending' })],
  ['failures across webhooks', FAILED, find({ status: 'failed', maxScanned: 100 })],
  ["a webhook's failures", OF_WEBHOOK, find({ webhookId: 3, status: 'failed' })],
  ["a dry run of a webhook's recovery", OF_WEBHOOK, countFailed],
  ["a webhook's history", 'webhook_deliveries_history', find({ webhookId: 3 })],
  ["a webhook's history of one event", 'webhook_deliveries_history', find({ webhookId: 3, event: 'a.b' })],
  ["a day in a webhook's history", 'webhook_deliveries_history', find({ webhookId: 3, ...DAY })],
  ['where that day is', 'webhook_deliveries_by_age', find({ webhookId: 3, ...DAY })],
  ['one delivery', 'webhook_deliveries_by_delivery_id', findOne],
  ['the deliveries of all webhooks', 'webhook_deliveries_by_age', find({})],
  ['one event across webhooks', 'webhook_deliveries_by_age', find({ event: 'a.b' })],
  ['a purge', 'webhook_deliveries_by_age', purge],
];

describe.each(databaseServers)('on $name', ({ name, skipped, createEmpty }) => {
  let database: TestDatabase;
  let db: Kysely<unknown>;
  let storage: WebhookStorage;
  const executed: CompiledQuery[] = [];

  beforeAll(async () => {
    if (skipped !== undefined) return;
    database = await createEmpty();
    db = database.open<unknown>({ log: ({ query }) => executed.push(query) });
    await migrateWebhooks(db);
    storage = kyselyStorage(db) as WebhookStorage;
    for (let i = 0; i < WEBHOOKS; i++) await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches(Array.from({ length: DISPATCHES }, () => DISPATCH));
    // Of 97, one is pending, six have failed, and the others have succeeded.
    await sql`update webhook_deliveries set status = case when id % 97 < 7 then 'failed' else 'success' end,
      priority_at = null, next_attempt_at = null where id % 97 > 0`.execute(db);
    const table = name.startsWith('MySQL') ? sql`table webhook_deliveries` : sql``;
    await sql`analyze ${table}`.execute(db);
  });
  afterAll(() => database?.remove());

  /** The indexes through which the operation reads deliveries; null for a scan of the table. */
  async function indexesOf(operation: (on: WebhookStorage) => Promise<unknown>) {
    executed.length = 0;
    await operation(storage);
    const statements = executed.filter(({ sql: text }) => /^(select|with)/.test(text));
    const indexes: (string | null)[] = [];
    await db.transaction().execute(async (transaction) => {
      for (const statement of statements)
        indexes.push(...((await READ_PLAN[name]?.(transaction, statement)) ?? []));
    });
    return indexes;
  }

  test.skipIf(skipped).each(USES)('%s is read through %s', async (_, index, operation) => {
    const indexes = await indexesOf(operation);
    const eitherServes = name === 'PostgreSQL' && index === OF_WEBHOOK;
    const used = indexes.map((one) => (eitherServes && one === FAILED ? OF_WEBHOOK : one));
    expect(used).toContain(index);
    expect(indexes).not.toContain(null);
  });
});

const READ_PLAN: Readonly<
  Record<string, (db: Kysely<unknown>, statement: CompiledQuery) => Promise<(string | null)[]>>
> = {
  async SQLite(db, statement) {
    const { rows } = await explain<{ detail: string }>(db, 'explain query plan', statement);
    const steps = rows.filter(({ detail }) => /\b(SCAN|SEARCH) webhook_deliveries\b/.test(detail));
    return steps
      .map(({ detail }) => /INDEX (\w+)|(INTEGER PRIMARY KEY)/.exec(detail))
      .map((found) => found?.[1] ?? found?.[2] ?? null);
  },
  async PostgreSQL(db, statement) {
    const steps = await stepsOf(db, statement);
    const read = steps.filter(
      (step) => 'Index Name' in step || step['Relation Name'] === 'webhook_deliveries',
    );
    return read.flatMap((step) => {
      // What they change was read below them.
      if (['Bitmap Heap Scan', 'ModifyTable'].includes(step['Node Type'])) return [];
      return step['Index Name'] ?? null;
    });
  },
  async 'MySQL or MariaDB'(db, statement) {
    const { rows } = await explain<{ table: string | null; key: string | null }>(db, 'explain', statement);
    return rows.filter(({ table }) => table === 'webhook_deliveries').map(({ key }) => key);
  },
};

function explain<Row>(db: Kysely<unknown>, how: string, { sql: text, parameters }: CompiledQuery) {
  return db.executeQuery<Row>(CompiledQuery.raw(`${how} ${text}`, [...parameters]));
}

function find(search: Partial<DeliverySearch>) {
  return (on: WebhookStorage) => on.findDeliveries({ limit: 50, maxScanned: 5_000, ...search });
}

async function findOne(on: WebhookStorage) {
  const [newest] = (await on.findDeliveries({ limit: 1, maxScanned: 1 })).deliveries;
  return find({ deliveryId: newest?.deliveryId ?? '' })(on);
}

function countFailed(on: WebhookStorage) {
  const target = { webhookId: 3, createdSince: DAY.createdFrom };
  return on.reopenDeliveries({ target, dryRun: true, now: CLAIM.now, limit: 1 });
}

function purge(on: WebhookStorage) {
  return on.purgeDeliveries({ createdBefore: '2000-01-01', now: CLAIM.now, limit: 100 });
}
