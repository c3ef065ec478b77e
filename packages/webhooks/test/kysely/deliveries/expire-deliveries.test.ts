import { describe, expect, onTestFinished, test } from 'vitest';
import { timestampText } from '../../../src/clock.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

const HOUR_MS = 3_600_000;

/** The hour that was so many hours ago. */
const hourAt = (now: number, hours: number) => timestampText(now - hours * HOUR_MS).slice(0, 13);

describe.each(databaseServers)('deliveries that are due for too long on $name', ({ skipped, create }) => {
  async function opened() {
    const database = await create();
    onTestFinished(() => database.remove());
    const [db, other] = [database.open<WebhookTables>(), database.open<WebhookTables>()];
    await migrateWebhooks(db);
    return { db, storage: kyselyStorage(db), second: kyselyStorage(other) };
  }

  test.skipIf(skipped)('are told by the hours of claims, which processes note together', async () => {
    const { db, storage, second } = await opened();
    const before = Date.now();
    for (const one of [storage, second]) {
      const claim = () => one.claimDueDeliveries({ ...CLAIM, now: Date.now() });
      await Promise.all([claim(), claim(), claim()]);
    }
    const { state } = await db
      .selectFrom('webhook_leases')
      .select('state')
      .where('name', '=', 'claims')
      .executeTakeFirstOrThrow();
    const noted: unknown[] = JSON.parse(state ?? '');
    expect(noted).toContain(hourAt(before, 0));
    expect(noted.filter((hour) => hour === hourAt(before, 0))).toHaveLength(1);
  });

  test.skipIf(skipped)('end as expired in batches, where their webhook holds them back', async () => {
    const { db, storage, second } = await opened();
    const limited = await storage.createWebhook({ ...NEW_WEBHOOK, maxPerMinute: 1 });
    const free = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches(Array.from({ length: 5 }, () => DISPATCH));
    const now = Date.now();
    const dueAgo = async (hours: number) => {
      const at = timestampText(now - hours * HOUR_MS);
      await db.updateTable('webhook_deliveries').set({ next_attempt_at: at, priority_at: at }).execute();
    };
    const row = { name: 'claims', holder: '', until: '' };
    const state = JSON.stringify([hourAt(now, 9), hourAt(now, 5), hourAt(now, 2)]);
    await db
      .insertInto('webhook_leases')
      .values({ ...row, state })
      .execute();
    const expire = async (of: typeof storage = storage) => {
      const { expired } = await of.purgeDeliveries({ dueForHours: 2, now, limit: 2 });
      expect(expired.every(({ webhookId, error }) => webhookId === limited.id && error === 'expired')).toBe(
        true,
      );
      return expired.length;
    };
    await dueAgo(4);
    expect(await expire()).toBe(0);
    await dueAgo(6);
    expect([await expire(), await expire(second), await expire(), await expire()]).toEqual([2, 2, 1, 0]);
    expect(await countDeliveries(storage, limited.id)).toMatchObject({ total: 5, failed: 5, pending: 0 });
    expect(await countDeliveries(storage, free.id)).toMatchObject({ pending: 5 });
  });
});
