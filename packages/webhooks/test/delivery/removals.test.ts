import { describe, expect, it } from 'vitest';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { createTestEngine } from '../engine/engine.ts';
import { DISPATCH, NEW_WEBHOOK } from '../kysely/example-rows.ts';
import { migratedSqlite } from '../kysely/migrated-sqlite.ts';
import { historyOf } from '../storage/history-of.ts';

/** An engine with one webhook of so many deliveries. */
async function engineWith(deliveries: number, purge = (purging: () => Promise<unknown>) => purging()) {
  const db = await migratedSqlite();
  const sound = kyselyStorage(db);
  const storage: typeof sound = {
    ...sound,
    async purgeDeliveries(request) {
      let receipt = { removed: 0, expired: [] } as Awaited<ReturnType<typeof sound.purgeDeliveries>>;
      await purge(async () => {
        receipt = await sound.purgeDeliveries(request);
      });
      return receipt;
    },
  };
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.recordDispatches(Array.from({ length: deliveries }, () => DISPATCH));
  const rows = async (table: 'webhook_deliveries') =>
    (await db.selectFrom(table).select('id').execute()).length;
  return { id, storage, rows, ...createTestEngine(storage) };
}

describe('the removal of a webhook', () => {
  it('removes a long history in the background, one batch after the other', async () => {
    let batches = 0;
    const { id, rows, storage, webhooks, errors } = await engineWith(1_750, async (purging) => {
      batches += 1;
      await purging();
    });
    const order: string[] = [];
    await webhooks.delete(id);
    setImmediate(() => order.push('a turn of the event loop'));
    expect(await historyOf(storage, id)).toEqual([]);
    await expect.poll(() => rows('webhook_deliveries')).toBe(0);
    await expect.poll(() => batches).toBe(4);
    expect(errors).toEqual([]);
    expect(order).toHaveLength(1);
    await webhooks.close();
  });

  it('succeeds where the history cannot be removed, which is reported and done with the next removal', async () => {
    let isRefused = true;
    const { id, rows, webhooks, errors } = await engineWith(10, async (purging) => {
      if (isRefused) throw new Error('disk full');
      await purging();
    });
    await webhooks.delete(id);
    await expect.poll(() => errors).toMatchObject([{ code: 'storage_unavailable' }]);
    expect(await rows('webhook_deliveries')).toBe(10);
    isRefused = false;
    await webhooks.delete((await webhooks.create({ url: 'http://127.0.0.1/' })).id);
    await expect.poll(() => rows('webhook_deliveries')).toBe(0);
    await webhooks.close();
  });

  it('keeps what was dispatched by a clock before 1970', async () => {
    const { id, rows, storage, webhooks } = await engineWith(1);
    const kept = await storage.createWebhook(NEW_WEBHOOK);
    const early = { ...DISPATCH, createdAt: '1938-01-01T00:00:00.000Z', target: { webhookId: kept.id } };
    await storage.recordDispatches([early]);
    await webhooks.delete(id);
    await expect.poll(() => rows('webhook_deliveries')).toBe(1);
    expect(await historyOf(storage, kept.id)).toHaveLength(1);
    await webhooks.close();
  });

  it('ends with the batch under way when the engine closes', async () => {
    const closings: Promise<void>[] = [];
    const { id, rows, webhooks } = await engineWith(1_750, (purging) => {
      closings.push(webhooks.close());
      return purging();
    });
    await webhooks.delete(id);
    await expect.poll(() => closings.length).toBe(1);
    await closings[0];
    expect(await rows('webhook_deliveries')).toBe(1_250);
  });
});
