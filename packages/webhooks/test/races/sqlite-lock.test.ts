import { Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { changing } from '../../src/storage/changed-state.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../kysely/example-rows.ts';

async function twoConnections() {
  const file = untilFinished(sqliteFile());
  const [db, other] = [file.open(), file.open()];
  await migrateWebhooks(db);
  return { db, other, file, storage: kyselyStorage(db) };
}

describe('another connection in the way', () => {
  test('delays a write until it is out of the way', async () => {
    const { other, storage } = await twoConnections();
    const created = await other.connection().execute(async (connection) => {
      let isHeld = true;
      await sql`begin immediate`.execute(connection);
      const creating = storage.createWebhook(NEW_WEBHOOK).then((webhook) => ({ webhook, isHeld }));
      // Some turns of the event loop, in which the write meets the lock.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      isHeld = false;
      await sql`commit`.execute(connection);
      return creating;
    });
    expect(created.isHeld).toBe(false);
    expect(await storage.findWebhook(created.webhook.id)).toEqual(created.webhook);
  });

  test('leaves the connection free for others between two tries', async () => {
    const { db, other, storage } = await twoConnections();
    const order: string[] = [];
    await other.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      const created = storage.createWebhook(NEW_WEBHOOK).then(() => order.push('write'));
      await new Promise(setImmediate);
      await sql`select 1`.execute(db).then(() => order.push('read'));
      await sql`commit`.execute(connection);
      return created;
    });
    expect(order).toEqual(['read', 'write']);
  });
});

test('meets contention in one statement alone, before a transaction has read anything', async () => {
  const { other, file } = await twoConnections();
  const refused: string[] = [];
  const watched = new Kysely<unknown>({
    dialect: file.dialect(),
    log: ({ level, query }) => {
      if (level === 'error') refused.push(query.sql);
    },
  });
  const storage = kyselyStorage(watched);
  const now = Date.parse(NEW_WEBHOOK.createdAt);
  const operations: (() => Promise<unknown>)[] = [
    () => storage.createWebhook(NEW_WEBHOOK),
    () => storage.changeWebhook(1, changing({ events: ['a.b'], updatedAt: NEW_WEBHOOK.createdAt })),
    () => storage.deleteWebhook(1),
    () => storage.recordDispatches([{ ...DISPATCH, idempotencyKey: 'k' }]),
    () => storage.claimDueDeliveries(CLAIM),
    () => storage.purgeDeliveries({ createdBefore: '2026-01-01', now, limit: 1 }),
    () => storage.purgeIdempotencyKeys({ createdBefore: '2026-01-01', limit: 1 }),
  ];
  await other.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    const running = operations.map((run) => run());
    while (refused.length < operations.length) await new Promise(setImmediate);
    await sql`commit`.execute(connection);
    await Promise.all(running);
  });
  await watched.destroy();
  // How a transaction begins.
  expect(new Set(refused)).toEqual(new Set(['begin immediate']));
});
