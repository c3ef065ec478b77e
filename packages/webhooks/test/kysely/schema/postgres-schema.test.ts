import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';

const CREATED_AT = '2026-01-20T04:10:00.123Z';
const PAYLOAD = JSON.stringify({ text: 'x'.repeat(1_000) });
const DELIVERIES = 60;

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

describe.skipIf(postgres?.skipped !== undefined)('updates on PostgreSQL', () => {
  let database: TestDatabase;
  let db: Kysely<unknown>;

  beforeAll(async () => {
    if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
    database = await postgres.createEmpty();
    db = database.open<unknown>();
    await migrateWebhooks(db);
    await sql`alter table webhook_deliveries set (autovacuum_enabled = off)`.execute(db);
  });
  afterAll(() => database?.remove());

  /** The page that each delivery's current version is on, by id. */
  async function pages(): Promise<Map<string, number>> {
    const { rows } = await sql<{ id: string; page: number }>`
      select id, (ctid::text::point)[0]::int as page from webhook_deliveries order by id`.execute(db);
    return new Map(rows.map(({ id, page }) => [id, page]));
  }

  test('a claim writes beside the row it claims, so that no index changes', async () => {
    const storage = kyselyStorage(db);
    const { id: webhookId } = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.*'] });
    const dispatch = { event: 'order.paid', payload: PAYLOAD, createdAt: CREATED_AT, target: { webhookId } };
    await storage.recordDispatches(Array.from({ length: DELIVERIES }, () => dispatch));
    const before = await pages();
    const claimed = await storage.claimDueDeliveries({
      now: 0,
      limit: DELIVERIES,
      leaseMs: 60_000,
      maxAttempts: 4,
      claimToken: 't',
      isFromStart: true,
      choose: chooseEvenly(DELIVERIES),
    });
    expect(claimed).toHaveLength(DELIVERIES);
    expect(await pages()).toEqual(before);
  });
});
