import type { Kysely } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { databaseServers } from './database-servers.ts';
import type { TestDatabase } from './test-database.ts';

const SHARE = 2;
const HEALTHY = 3;
const CLAIMS = 40;

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)('a line crowded by one webhook on $name', ({ clock, skipped, create }) => {
  const it = test.skipIf(skipped);
  const onServer = test.skipIf(skipped || clock === 'caller');

  async function open() {
    const database = await create();
    databases.push(database);
    const statements: string[] = [];
    const db = database.open<WebhookTables>({ log: ({ query }) => void statements.push(query.sql) });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db) as WebhookStorage;
    const createdAt = new Date().toISOString();
    const createWebhook = (pattern: string) =>
      storage.createWebhook({
        ...{ url: 'https://a.example/', secret: 's', description: '', events: [pattern], isActive: true },
        ...{ createdBy: 0, createdAt },
      });
    const dispatch = (pattern: string, count: number) =>
      storage.recordDispatches(
        Array.from({ length: count }, () => ({
          ...{ event: 'order.paid', payload: '{}', createdAt, target: { patterns: [pattern] } },
        })),
      );
    const { id: hangs } = await createWebhook('hangs.*');
    let tokens = 0;
    const claim = async (limit = 50) => {
      let isComplete = true;
      statements.length = 0;
      const claimed = await storage.claimDueDeliveries({
        ...{ now: Date.now(), limit, leaseMs: 60_000, maxAttempts: 4, claimToken: `token ${++tokens}` },
        ...{ maxPerWebhook: SHARE, inFlight: new Map([[hangs, SHARE]]) },
        onIncomplete: () => {
          isComplete = false;
        },
      });
      return { claimed, isComplete, statements: statements.length };
    };
    return {
      other: database.open<WebhookTables>(),
      storage,
      statements,
      createWebhook,
      dispatch,
      claim,
      hangs,
    };
  }

  it('is read once in sixteen claims, and nobody behind it waits for that', async () => {
    const { claim, createWebhook, dispatch, hangs, statements } = await open();
    await dispatch('hangs.*', 300);
    for (let index = 0; index < HEALTHY; index++) await createWebhook('order.*');
    let windows = 0;
    for (let time = 1; time <= CLAIMS; time++) {
      await dispatch('order.*', 1);
      const { claimed } = await claim();
      windows += statements.filter((text) => text.includes('over ()')).length;
      expect(claimed.map(({ webhook }) => webhook.id)).not.toContain(hangs);
      expect(claimed).toHaveLength(HEALTHY);
    }
    expect(windows).toBe(Math.ceil(CLAIMS / 16));
  });

  it('is crowded only if it goes on: where all that is due is read, no webhook is looked at', async () => {
    const { claim, createWebhook, dispatch, statements, storage } = await open();
    for (let index = 0; index < 10; index++) await createWebhook('waits.*');
    await dispatch('waits.*', 1);
    const waiting = await storage.claimDueDeliveries({
      ...{ now: Date.now(), limit: 100, leaseMs: 60_000, maxAttempts: 4, claimToken: 'first' },
      ...{ maxPerWebhook: 1, inFlight: new Map() },
    });
    await storage.recordAttempts(
      waiting.map(({ id, claimToken }) => ({
        ...{ id, claimToken, status: 'pending', statusCode: 500, responseBody: '', error: 'http_500' },
        ...{ attemptLog: [], activation: 0, now: Date.now(), retryInMs: 86_400_000 },
      })),
    );
    for (const own of [0, 5]) {
      await dispatch('hangs.*', own);
      const { claimed, isComplete } = await claim();
      expect({ claimed, isComplete }).toEqual({ claimed: [], isComplete: true });
      expect(statements.filter((text) => text.includes('first_id'))).toEqual([]);
    }
  });

  onServer('is not all that is known of webhooks whose first deliveries others are claiming', async () => {
    const { claim, createWebhook, dispatch, hangs, other } = await open();
    await dispatch('hangs.*', 300);
    for (let index = 0; index < HEALTHY; index++) await createWebhook('order.*');
    await dispatch('order.*', 10);
    const { claimed, isComplete } = await heldBy(other, async (transaction) => {
      const firsts = await transaction
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('id').as('id'))
        .where('webhook_id', '<>', hangs)
        .groupBy('webhook_id')
        .execute();
      const ids = firsts.map(({ id }) => Number(id));
      await transaction
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('id', 'in', ids)
        .forUpdate()
        .execute();
      return claim(2);
    });
    expect(claimed.length > 0 || !isComplete).toBe(true);
  });

  onServer('is passed in few statements where others are claiming all of it', async () => {
    const { claim, createWebhook, dispatch, other } = await open();
    for (let index = 0; index < 200; index++) await createWebhook('order.*');
    await dispatch('order.*', 3);
    const { claimed, statements } = await heldBy(other, async (transaction) => {
      const first = transaction.selectFrom('webhook_deliveries').selectAll().orderBy('id').limit(400);
      await first.forUpdate().execute();
      return claim(1);
    });
    expect(claimed).toHaveLength(1);
    expect(statements).toBeLessThan(100);
  });
});

/** Locks rows one by one: in stricter isolation MySQL locks whatever it reads on the way. */
function heldBy<Result>(
  db: Kysely<WebhookTables>,
  work: (transaction: Kysely<WebhookTables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('read committed').execute(work);
}
