import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { type SqliteFile, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { backdated } from '../delivery/backdated.ts';
import type { TestEngine } from '../engine/engine.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';

const FIVE_DAYS_MS = 432_000_000;
/** As if what failed first had failed five days ago. */
const AGES = { since: FIVE_DAYS_MS, secondAt: FIVE_DAYS_MS };

/** A connection with the settings that the guide gives for libsql. */
function guided(path: string): Kysely<unknown> {
  const database = new Database(path);
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}

describe('two engines on one SQLite file', () => {
  let file: SqliteFile;
  const { engine, recipient } = useEngineHarness(async () => {
    file = sqliteFile();
    const db = file.open();
    await migrateWebhooks(db);
    return { storage: kyselyStorage(db), close: () => file.remove() };
  });

  /** Each engine has a connection of its own, as a process of its own would. */
  function twoEngines(options: Parameters<typeof engine>[0] = {}): [TestEngine, TestEngine] {
    const created = () => engine(options, backdated(kyselyStorage(file.open()), AGES));
    return [created(), created()];
  }

  it('send each of 300 due deliveries exactly once, and lose none', async () => {
    const target = await recipient();
    const [one, other] = twoEngines({ maxConcurrentPerWebhook: 50 });
    const { id } = await one.webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 300 }, (_, n) => one.webhooks.dispatch('user.created', { n })));
    await Promise.all([one.webhooks.start(), other.webhooks.start()]);
    await Promise.all([one.webhooks.drain(), other.webhooks.drain()]);
    await Promise.all([one.webhooks.close(), other.webhooks.close()]);
    expect(target.received).toHaveLength(300);
    expect(new Set(target.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(300);
    expect((await one.webhooks.get(id)).stats).toEqual({ total: 300, success: 300, failed: 0, pending: 0 });
    expect(one.webhooks.stats().succeeded + other.webhooks.stats().succeeded).toBe(300);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  it.each([
    ['by one instance that both have', () => Array<Kysely<unknown>>(2).fill(guided(file.path))],
    ['by connections that wait for no lock and run statements again', () => [file.open(), file.open()]],
  ])('dispatch and deliver at the same time %s, and nobody is held up', async (_, open) => {
    const target = await recipient();
    const instances = open();
    const pair = instances.map((db) => engine({}, kyselyStorage(db)));
    await pair[0]?.webhooks.create({ url: target.url });
    await Promise.all(pair.map(({ webhooks }) => webhooks.start()));
    for (let n = 0; n < 100; n++) {
      await Promise.all(pair.map(({ webhooks }) => webhooks.dispatch('user.created', { n })));
    }
    await Promise.all(pair.map(({ webhooks }) => webhooks.drain()));
    await Promise.all(pair.map(({ webhooks }) => webhooks.close()));
    for (const db of new Set(instances)) await db.destroy();
    expect(new Set(target.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(200);
    expect(target.received).toHaveLength(200);
    expect(pair.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('deactivate a webhook that fails once, and one of them says so', async () => {
    const target = await recipient((_, response) => response.writeHead(500).end());
    const [one, other] = twoEngines({ disableAfterFailingMs: FIVE_DAYS_MS, retry: { maxAttempts: 1 } });
    const { id } = await one.webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 40 }, (_, n) => one.webhooks.dispatch('user.created', { n })));
    await Promise.all([one.webhooks.start(), other.webhooks.start()]);
    await Promise.all([one.webhooks.drain(), other.webhooks.drain()]);
    await Promise.all([one.webhooks.close(), other.webhooks.close()]);
    expect(await one.webhooks.get(id)).toMatchObject({ isActive: false, inactiveReason: 'failing' });
    expect([...one.disabled, ...other.disabled]).toMatchObject([{ webhookId: id, reason: 'failing' }]);
    expect(one.webhooks.stats().disabled + other.webhooks.stats().disabled).toBe(1);
    // Those that were due when it was deactivated ended unsent.
    expect((await one.webhooks.get(id)).stats).toMatchObject({ failed: 40, pending: 0 });
    expect(target.received.length).toBeLessThanOrEqual(40);
    expect(target.received.length).toBeGreaterThanOrEqual(3);
    expect([...one.failed, ...other.failed]).toHaveLength(40);
  });

  it('close under load without sending anything twice: the rest is left for the other', async () => {
    const target = await recipient();
    const [one, other] = twoEngines({ maxConcurrentPerWebhook: 20 });
    const { id } = await one.webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 200 }, (_, n) => one.webhooks.dispatch('user.created', { n })));
    await one.webhooks.start();
    await target.receivedCount(20);
    await one.webhooks.close();
    const sent = target.received.length;
    expect((await other.webhooks.get(id)).stats).toMatchObject({ success: sent, pending: 200 - sent });
    await other.webhooks.start();
    await other.webhooks.drain();
    expect(target.received).toHaveLength(200);
    expect(new Set(target.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(200);
    expect(one.webhooks.stats().succeeded).toBe(sent);
  });
});
