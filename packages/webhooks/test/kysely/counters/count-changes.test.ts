import { type Kysely, sql, type Transaction } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { countChanges } from '../../../src/kysely/counters/count-changes.ts';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import type { NewWebhook } from '../../../src/storage/webhook-requests.ts';
import { chooseEvenly } from '../../../src/testing/storage-contract/choose-evenly.ts';
import { countDeliveries, readActivity } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { tablesOn } from '../tables-on.ts';

const HOUR_MS = 3_600_000;
const ROUNDS = 12;

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

async function twoProcesses(create: () => Promise<TestDatabase>) {
  const database = await create();
  opened.push(database);
  const [db, other] = [database.open<WebhookTables>(), database.open<WebhookTables>()];
  await migrateWebhooks(db);
  return { db, other, storage: kyselyStorage(db), second: kyselyStorage(other) };
}

function newWebhook(): NewWebhook {
  return {
    url: 'https://a.example/',
    secret: 's',
    description: '',
    events: ['*'],
    isActive: true,
    createdBy: 0,
    createdByUid: null,
    createdAt: new Date().toISOString(),
  };
}

function dispatchAt(ms: number): DispatchRecord {
  return {
    event: 'order.paid',
    payload: '{}',
    createdAt: new Date(ms).toISOString(),
    target: { patterns: ['*'] },
  };
}

/** Counters as the rows themselves say. */
async function recount(db: Kysely<WebhookTables>) {
  const { rows } = await sql<Record<string, unknown>>`
    select webhook_id, substr(created_at, 1, 13) as hour,
      sum(case when status = 'success' then 1 else 0 end) as success,
      sum(case when status = 'failed' then 1 else 0 end) as failed
    from webhook_deliveries where status <> 'pending' group by webhook_id, substr(created_at, 1, 13)`.execute(
    db,
  );
  const counted = new Map<string, number[]>();
  for (const row of rows) {
    const counts = [Number(row.success), Number(row.failed)];
    for (const key of [`${row.webhook_id} ${row.hour}`, `${row.webhook_id} `]) {
      counted.set(
        key,
        counts.map((count, i) => count + (counted.get(key)?.[i] ?? 0)),
      );
    }
  }
  return counted;
}

/** The counters, all shards together. */
async function counters(db: Kysely<WebhookTables>) {
  const rows = await db
    .selectFrom('webhook_activity')
    .select(['webhook_id', 'hour'])
    .select(({ fn }) => [fn.sum('success').as('success'), fn.sum('failed').as('failed')])
    .groupBy(['webhook_id', 'hour'])
    .execute();
  return new Map(
    rows
      .map((row) => [`${row.webhook_id} ${row.hour}`, [Number(row.success), Number(row.failed)]] as const)
      .filter(([, counts]) => counts.some((count) => count !== 0)),
  );
}

/** One process's share of everything that changes a status, in an order that the seed decides. */
async function churn<DB>(
  db: Kysely<DB>,
  storage: WebhookStorage<Transaction<DB>>,
  random: () => number,
  name: string,
): Promise<void> {
  const hours = [0, 1, 40 * 24];
  const someTime = () => Date.now() - (hours[Math.floor(random() * hours.length)] ?? 0) * HOUR_MS;
  for (let round = 0; round < ROUNDS; round++) {
    const dispatches = Array.from({ length: 1 + Math.floor(random() * 4) }, () => dispatchAt(someTime()));
    await storage.recordDispatches(dispatches);
    await committed(db, (transaction) => storage.recordDispatches(dispatches, transaction));
    const now = Date.now();
    const claims = await storage.claimDueDeliveries({
      now,
      limit: 12,
      leaseMs: 60_000,
      maxAttempts: 4,
      claimToken: `${name}${round}`,
      isFromStart: true,
      choose: chooseEvenly(12, 5),
    });
    const accepted = await storage.recordAttempts(
      claims.map(({ id, claimToken }) => ({
        id,
        claimToken,
        status: (['success', 'failed', 'pending'] as const)[Math.floor(random() * 3)] ?? 'failed',
        statusCode: 200,
        responseBody: '',
        error: '',
        attemptLog: [],
        activation: 0,
        now: Date.now(),
        retryInMs: 0,
      })),
    );
    expect(accepted).toHaveLength(claims.length);
    const [claim] = claims;
    if (claim !== undefined) {
      const target = { webhookId: claim.webhook.id, deliveryId: claim.deliveryId };
      await storage.reopenDeliveries({ target, now, limit: 1 });
    }
    const lately = { createdSince: new Date(now - HOUR_MS).toISOString() };
    await storage.reopenDeliveries({ target: lately, now, limit: 2 });
    const createdBefore = new Date(now - 30 * 24 * HOUR_MS).toISOString();
    await storage.purgeDeliveries({ createdBefore, now, limit: 3 });
    if (round === 6) {
      const { id } = await storage.createWebhook(newWebhook());
      await storage.recordDispatches(dispatches);
      await storage.deleteWebhook(id);
    }
  }
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
  return storage.recordAttempts(claims.map(({ id }) => ({ id, ...ended, ...rest })));
}

const CHANGED_SINCE_READ = 1020;

/**
 * A host's transaction, begun anew where MariaDB 11.8 refuses it, as what it has read was changed
 * meanwhile, and where another process writes to the SQLite file.
 */
async function committed<DB>(
  db: Kysely<DB>,
  work: (transaction: Transaction<DB>) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await db.transaction().execute(work);
      return;
    } catch (error) {
      const { errno, code } = Object(error);
      if (errno !== CHANGED_SINCE_READ && code !== 'SQLITE_BUSY') throw error;
    }
  }
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe.each(databaseServers)('counters on $name', ({ skipped, create, clock }) => {
  test.skipIf(skipped).each([1, 2])(
    'equal the rows after two processes did everything at once (seed %i)',
    async (seed) => {
      const { db, other, storage, second } = await twoProcesses(create);
      for (let i = 0; i < 3; i++) await storage.createWebhook(newWebhook());
      const works = [0, 1, 2, 3].map((worker) =>
        worker % 2 === 0
          ? churn(db, storage, randomFrom(seed * 10 + worker), `w${worker}`)
          : churn(other, second, randomFrom(seed * 10 + worker), `w${worker}`),
      );
      await Promise.all(works);
      const all = { limit: 9, offset: 0, sort: 'id', order: 'asc' } as const;
      const { webhooks } = await storage.listWebhooks(all);
      // The counters of a removed webhook, which nobody sees, go with its row a day later.
      const shown = (counts: ReadonlyMap<string, readonly number[]>) =>
        [...counts].filter(([key]) => webhooks.some(({ id }) => key.startsWith(`${id} `))).sort();
      expect(shown(await counters(db))).toEqual(shown(await recount(db)));
      for (const { id } of webhooks) {
        const rows = await db
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', id)
          .execute();
        expect((await countDeliveries(storage, id)).total).toBe(rows.length);
      }
    },
    60_000,
  );

  test.skipIf(skipped)('of hours that a purge emptied are gone', async () => {
    const { db, storage } = await twoProcesses(create);
    await storage.createWebhook(newWebhook());
    const now = Date.now();
    const [old, older] = [now - 40 * 24 * HOUR_MS, now - 41 * 24 * HOUR_MS];
    await storage.recordDispatches([dispatchAt(older), dispatchAt(old), dispatchAt(old), dispatchAt(now)]);
    await endAll(storage, now);
    const createdBefore = new Date(now - 30 * 24 * HOUR_MS).toISOString();
    await storage.purgeDeliveries({ createdBefore, now, limit: 2 });
    // Row 0 counts changes of webhooks.
    const counters = () => db.selectFrom('webhook_activity').select('hour').where('webhook_id', '>', 0);
    expect(await counters().execute()).toHaveLength(3);
    await storage.purgeDeliveries({ createdBefore, now, limit: 2 });
    const hours = (await counters().orderBy('hour').execute()).map(({ hour }) => hour);
    expect(hours).toEqual(['', new Date(now).toISOString().slice(0, 13)]);
  });

  test.skipIf(skipped ?? (clock === 'caller' ? 'one writer' : undefined))(
    'of other processes add up, and a purge folds those of past hours',
    async () => {
      const { db, storage } = await twoProcesses(create);
      const { id } = await storage.createWebhook(newWebhook());
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

  test.skipIf(skipped ?? (clock === 'caller' ? 'one writer' : undefined))(
    "are not held up by a host's transaction that stays open",
    async () => {
      const { db, storage, second } = await twoProcesses(create);
      const { id } = await storage.createWebhook(newWebhook());
      const now = Date.now();
      await db.transaction().execute(async (transaction) => {
        await storage.recordDispatches([dispatchAt(now), dispatchAt(now)], transaction);
        // While it is open, others dispatch to the same webhook, claim, record and change it.
        await second.recordDispatches([dispatchAt(now)]);
        const claims = await second.claimDueDeliveries({
          now,
          limit: 9,
          leaseMs: 60_000,
          maxAttempts: 4,
          claimToken: 't',
          isFromStart: true,
          choose: chooseEvenly(9),
        });
        expect(claims).toHaveLength(1);
        const results = claims.map((claim) => ({
          id: claim.id,
          claimToken: 't',
          status: 'success' as const,
          statusCode: 200,
          responseBody: '',
          error: '',
          attemptLog: [],
          activation: 0,
          now,
          retryInMs: 0,
        }));
        expect(await second.recordAttempts(results)).toEqual(['recorded']);
        expect(await countDeliveries(second, id)).toMatchObject({ total: 1, success: 1 });
      });
      expect(await countDeliveries(second, id)).toEqual({ total: 3, success: 1, failed: 0, pending: 2 });
      const at = new Date(now).toISOString();
      expect(await readActivity(second, { webhookId: id, from: at, to: at })).toMatchObject([
        { success: 1, pending: 2 },
      ]);
      expect(await counters(db)).toEqual(await recount(db));
    },
  );
});
