import { Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { findDialect } from '../../src/kysely/find-dialect.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { retryContention } from '../../src/kysely/retry-contention.ts';
import type { ClaimRequest, DispatchRecord } from '../../src/storage/delivery-requests.ts';
import type { NewWebhook } from '../../src/storage/webhook-requests.ts';
import { type SqliteFile, sqliteFile } from './sqlite-database.ts';

const NEW_WEBHOOK: NewWebhook = {
  url: 'https://a.example/',
  secret: 'whsec_abc',
  description: '',
  events: ['*'],
  isActive: true,
  createdBy: 0,
  createdAt: '2026-11-20T04:10:00.123Z',
};

const CLAIM: ClaimRequest = {
  now: Date.parse(NEW_WEBHOOK.createdAt),
  limit: 1,
  leaseMs: 1_000,
  maxAttempts: 4,
  claimToken: 't',
  maxPerWebhook: 1_000,
  inFlight: new Map(),
};

const DISPATCH: DispatchRecord = {
  event: 'order.paid',
  payload: '{}',
  createdAt: NEW_WEBHOOK.createdAt,
  target: { patterns: ['*'] },
};

const files: SqliteFile[] = [];
afterEach(async () => {
  for (const file of files.splice(0)) await file.remove();
});

async function twoConnections() {
  const file = sqliteFile();
  files.push(file);
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
  const statements: string[] = [];
  const refused: string[] = [];
  const watched = new Kysely<unknown>({
    dialect: file.dialect(),
    log: ({ level, query }) => {
      statements.push(query.sql);
      if (level === 'error') refused.push(query.sql);
    },
  });
  const storage = kyselyStorage(watched);
  const now = Date.parse(NEW_WEBHOOK.createdAt);
  const operations: (() => Promise<unknown>)[] = [
    () => storage.createWebhook(NEW_WEBHOOK),
    () => storage.updateWebhook(1, { events: ['a.b'], updatedAt: NEW_WEBHOOK.createdAt }),
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
  // The first statement of all is how a transaction begins, and so is each that was refused.
  expect(new Set(refused)).toEqual(new Set(statements.slice(0, 1)));
});

describe('retryContention', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

  /**
   * @param blockedMs how long each try waits for the lock inside the driver, as with a busy timeout
   */
  async function retry(outcomes: readonly (Error | string)[], blockedMs = 0) {
    const { db } = await twoConnections();
    const pausesMs: number[] = [];
    let tries = 0;
    let elapsedMs = 0;
    const result = await retryContention(
      findDialect(db),
      async () => {
        const outcome = outcomes[Math.min(tries++, outcomes.length - 1)];
        elapsedMs += blockedMs;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      {
        now: () => elapsedMs,
        async pause(ms) {
          pausesMs.push(ms);
          elapsedMs += ms;
        },
      },
    ).catch((error: unknown) => error);
    return { result, tries, pausesMs, elapsedMs };
  }

  test('tries again while another connection is in the way', async () => {
    expect(await retry([busy, busy, 'done'])).toMatchObject({ result: 'done', tries: 3 });
  });

  test("gives up after 12 retries of about 2 s in all, with the database's error", async () => {
    const { result, tries, pausesMs } = await retry([busy]);
    expect([result, tries]).toEqual([busy, 13]);
    const totalMs = pausesMs.reduce((sum, ms) => sum + ms, 0);
    expect(totalMs).toBeGreaterThan(900);
    expect(totalMs).toBeLessThan(2_000);
  });

  test.each([100, 250, 900])('begins no try after 2 s when each is blocked for %i ms', async (blockedMs) => {
    const { result, tries, elapsedMs } = await retry([busy], blockedMs);
    expect(result).toBe(busy);
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(13);
    expect(elapsedMs).toBeLessThanOrEqual(2_000 + blockedMs);
  });

  test('does not try again when one try alone was blocked for longer than 2 s', async () => {
    expect(await retry([busy, 'done'], 5_000)).toMatchObject({ result: busy, tries: 1, pausesMs: [] });
  });

  test('does not try again after any other error', async () => {
    const refused = Object.assign(new Error('UNIQUE constraint failed'), {
      code: 'SQLITE_CONSTRAINT_UNIQUE',
    });
    expect(await retry([refused])).toMatchObject({ result: refused, tries: 1, pausesMs: [] });
  });

  test.each([
    ['better-sqlite3, libsql', { code: 'SQLITE_BUSY_SNAPSHOT' }, true],
    ['better-sqlite3, libsql', { code: 'SQLITE_LOCKED' }, true],
    ['node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
    ['node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 517 }, true],
    ['node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 1 }, false],
    ['bun:sqlite', { errno: 6 }, true],
    ['the file system', { code: 'EIO', errno: -5 }, false],
    ['any', { code: 'SQLITE_FULL' }, false],
  ])('tells contention by the error of %s: %o', async (_driver, fields, expected) => {
    const { db } = await twoConnections();
    expect(findDialect(db).isContention(Object.assign(new Error(), fields))).toBe(expected);
  });

  test.each([undefined, null, 'SQLITE_BUSY'])('takes %s for no contention', async (thrown) => {
    const { db } = await twoConnections();
    expect(findDialect(db).isContention(thrown)).toBe(false);
  });
});
