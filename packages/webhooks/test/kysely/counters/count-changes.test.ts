import { describe, expect, test } from 'vitest';
import { type TestDatabase, untilFinished } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { countChanges } from '../../../src/kysely/counters/count-changes.ts';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { countDeliveries, readActivity } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';
import { tablesOn } from '../tables-on.ts';

const HOUR_MS = 3_600_000;

async function twoProcesses(create: () => Promise<TestDatabase>) {
  const database = untilFinished(await create());
  const [db, other] = [database.open<WebhookTables>(), database.open<WebhookTables>()];
  await migrateWebhooks(db);
  return { db, other, storage: kyselyStorage(db), second: kyselyStorage(other) };
}

function dispatchAt(ms: number): DispatchRecord {
  return {
    event: 'order.paid',
    payload: '{}',
    createdAt: new Date(ms).toISOString(),
    target: { patterns: ['*'] },
  };
}

async function endAll(storage: Pick<WebhookStorage, 'claimDueDeliveries' | 'recordAttempts'>, now: number) {
  const claims = await storage.claimDueDeliveries({
    now,
    limit: 9,
    leaseMs: 60_000,
    maxAttempts: 4,
    claimToken: 't',
    isFromStart: true,
    choose: chooseEvenly(9),
  });
  const ended = { status: 'success', statusCode: 200, responseBody: '', error: '', attemptLog: [] } as const;
  const rest = { claimToken: 't', activation: 0, now, retryInMs: 0 };
  return storage.recordAttempts(
    claims.map(({ id }) => ({ id, ...ended, ...rest })),
    RESULT_RULES,
  );
}

describe.each(databaseServers)('counters on $name', ({ skipped, create, clock }) => {
  test.skipIf(skipped)('of hours that a purge emptied are gone', async () => {
    const { db, storage } = await twoProcesses(create);
    await storage.createWebhook(NEW_WEBHOOK);
    const now = Date.now();
    const [old, older] = [now - 40 * 24 * HOUR_MS, now - 41 * 24 * HOUR_MS];
    await storage.recordDispatches([dispatchAt(older), dispatchAt(old), dispatchAt(old), dispatchAt(now)]);
    await endAll(storage, now);
    const createdBefore = new Date(now - 30 * 24 * HOUR_MS).toISOString();
    await storage.purgeDeliveries({ createdBefore, now, limit: 2 });
    // Row 0 counts changes of webhooks.
    const counters = () => db.selectFrom('webhook_activity').select('hour').where('webhook_id', '>', 0);
    expect(await counters().execute()).toHaveLength(4);
    await storage.purgeDeliveries({ createdBefore, now, limit: 2 });
    const hours = (await counters().orderBy('hour').execute()).map(({ hour }) => hour);
    // Of the total, the purge has a row of its own.
    expect(hours).toEqual(['', '', new Date(now).toISOString().slice(0, 13)]);
    expect(await countDeliveries(storage, 1)).toMatchObject({ total: 1, success: 1 });
  });

  test.skipIf(skipped ?? (clock === 'caller' ? 'one writer' : undefined))(
    'of other processes add up, and a purge folds those of past hours',
    async () => {
      const { db, storage } = await twoProcesses(create);
      const { id } = await storage.createWebhook(NEW_WEBHOOK);
      const now = Date.now();
      const past = new Date(now - 2 * HOUR_MS).toISOString();
      const dialect = findDialect(db);
      for (const shard of [3, 9, 60]) {
        const change = { webhookId: id, createdAt: past, to: 'success', completedAt: past } as const;
        await countChanges(tablesOn(db), dialect, [change, change], shard);
      }
      const shardsOf = async () => {
        const rows = await db
          .selectFrom('webhook_activity')
          .select('hour')
          .where('hour', '=', past.slice(0, 13));
        return (await rows.execute()).length;
      };
      expect([await shardsOf(), (await countDeliveries(storage, id)).success]).toEqual([3, 6]);
      await storage.purgeDeliveries({ createdBefore: past, now, limit: 100 });
      expect([await shardsOf(), (await countDeliveries(storage, id)).success]).toEqual([1, 6]);
      expect(await readActivity(storage, { webhookId: id, from: past, to: past })).toMatchObject([
        { success: 6 },
      ]);
    },
  );
});
