import { CompiledQuery, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { ReopenRequest } from '../../../src/storage/delivery-requests.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

const OLDER = 2_000;
const RECENT = 5;
const SINCE = '2026-11-20T00:00:00.000Z';
const UNTIL = '2026-11-21T00:00:00.000Z';

/** Fewer than the failures of the webhook before and after, and of the other one. */
const FEW = 500;

const FAILED = { createdSince: SINCE, createdBefore: UNTIL };

/** PostgreSQL chooses the index by its statistics. */
const servers = databaseServers.filter(({ name }) => name !== 'PostgreSQL');

describe.each(servers)('on $name', ({ name, skipped, createEmpty }) => {
  let database: TestDatabase;
  let webhookId: number;

  beforeAll(async () => {
    if (skipped !== undefined) return;
    database = await createEmpty();
    const db = database.open<unknown>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    ({ id: webhookId } = await storage.createWebhook(NEW_WEBHOOK));
    const target = { webhookId };
    const dispatched = async (createdAt: string, count: number, to: typeof target) => {
      const record = { ...DISPATCH, createdAt, target: to };
      await storage.recordDispatches(Array.from({ length: count }, () => record));
    };
    const { id: other } = await storage.createWebhook(NEW_WEBHOOK);
    await dispatched('2026-11-10T00:00:00.000Z', OLDER, target);
    await dispatched('2026-11-20T12:00:00.000Z', OLDER, { webhookId: other });
    await dispatched('2026-11-20T12:00:00.000Z', RECENT, target);
    await dispatched('2026-11-28T00:00:00.000Z', OLDER, target);
    await sql`update webhook_deliveries set status = 'failed', priority_at = null, next_attempt_at = null`.execute(
      db,
    );
    await sql`analyze ${name.startsWith('MySQL') ? sql`table webhook_deliveries` : sql``}`.execute(db);
  });
  afterAll(() => database?.remove());

  test.skipIf(skipped).each([
    ['a dry run', { dryRun: true }],
    ['a recovery', {}],
    ['a recovery that goes on', { after: { createdAt: SINCE, id: OLDER * 2 } }],
  ])('%s of one webhook reads its failures of that time alone', async (_, how) => {
    const request = { target: { ...FAILED, webhookId }, now: CLAIM.now, limit: 100, ...how };
    expect(await rowsRead(name, database, request)).toBeLessThan(FEW);
  });
});

/** How many rows the request reads. SQLite counts none: 0 if its plan bounds the ids on both sides. */
async function rowsRead(name: string, database: TestDatabase, request: ReopenRequest): Promise<number> {
  const executed: CompiledQuery[] = [];
  const db = database.open<unknown>({ log: ({ query }) => executed.push(query) });
  if (name !== 'SQLite') return handlerReads(db, request);
  await kyselyStorage(db).reopenDeliveries(request);
  const read = executed.find(({ sql: text }) => /^select.*webhook_deliveries_failed/s.test(text));
  if (read === undefined) throw new Error('no failures were read');
  const explain = CompiledQuery.raw(`explain query plan ${read.sql}`, [...read.parameters]);
  const { rows } = await db.executeQuery<{ detail: string }>(explain);
  return rows.some(({ detail }) => detail.includes('by_webhook (webhook_id=? AND id>? AND id<?)')) ? 0 : FEW;
}

/** What one connection has read, by its own counters. */
function handlerReads(db: Kysely<unknown>, request: ReopenRequest): Promise<number> {
  return db.connection().execute(async (connection) => {
    await sql`flush status`.execute(connection);
    await kyselyStorage(connection).reopenDeliveries(request);
    const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`.execute(
      connection,
    );
    return rows.reduce((sum, row) => sum + Number(row.Value), 0);
  });
}
