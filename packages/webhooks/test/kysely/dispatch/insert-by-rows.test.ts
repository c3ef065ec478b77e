import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { planBatches } from '../../../src/kysely/dispatch/insert-by-rows.ts';
import { type DispatchWithId, withDispatchId } from '../../../src/kysely/dispatch/keyed-dispatch.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import * as example from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';
import { stepsOf } from '../plans/postgres-plan.ts';
import { tablesOn } from '../tables-on.ts';

const NEW_WEBHOOK = { ...example.NEW_WEBHOOK, events: ['order.*'] };
const DISPATCH: DispatchRecord = {
  ...example.DISPATCH,
  payload: '{"a":"\\"é"}',
  target: { patterns: ['*', 'order.*', 'order.paid'] },
};
const MANY = 3_000;

const servers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(servers)('a dispatch on $name', ({ name, skipped, create }) => {
  const it = test.skipIf(skipped);

  async function open() {
    const database = untilFinished(await create());
    const executed: CompiledQuery[] = [];
    const errors: unknown[] = [];
    const db: Kysely<WebhookTables> = database.open({
      log(event) {
        executed.push(event.query);
        if (event.level === 'error') errors.push(event.error);
      },
    });
    const other = database.open<WebhookTables>();
    await migrateWebhooks(other);
    const storage = kyselyStorage(db) as WebhookStorage;
    await storage.assertReady?.();
    return { db, storage, errors, executed, other };
  }

  it('waits for no removal under way, and claims remove what it wrote to a webhook that a host deleted', async () => {
    const { db, storage, errors, other } = await open();
    for (let i = 0; i < 3; i++) await storage.createWebhook(NEW_WEBHOOK);
    await other.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('webhooks').where('id', '=', 2).execute();
      expect((await storage.recordDispatches([DISPATCH]))[0]?.deliveryIds).toHaveLength(3);
    });
    expect(await storage.dueSummary({ now: Date.now(), limit: 10 })).toMatchObject({ due: 2 });
    const request = {
      limit: 10,
      leaseMs: 60_000,
      maxAttempts: 4,
      claimToken: 't',
      isFromStart: true,
      choose: chooseEvenly(10),
    };
    const claims = await storage.claimDueDeliveries({ ...request, now: Date.now() });
    expect(claims.map(({ webhook }) => webhook.id)).toEqual([1, 3]);
    const left = await db.selectFrom('webhook_deliveries').select('webhook_id').execute();
    expect(left.map(({ webhook_id }) => Number(webhook_id))).toEqual([1, 3]);
    expect(errors).toEqual([]);
  });

  it('writes alone in one statement on PostgreSQL, and in two elsewhere', async () => {
    const { storage, executed } = await open();
    await storage.createWebhook(NEW_WEBHOOK);
    for (const group of [[DISPATCH], Array.from({ length: 300 }, () => DISPATCH)]) {
      executed.length = 0;
      await storage.recordDispatches(group);
      expect(executed).toHaveLength(name === 'PostgreSQL' ? 1 : 2);
    }
  });

  it('reads the patterns and webhooks that match, and few others', async () => {
    const { db, storage, executed } = await open();
    const webhooks = await register(db, MANY);
    const tenth = webhooks.at(-10) ?? 0;
    await db
      .updateTable('webhook_patterns')
      .set({ pattern: 'a.b' })
      .where('webhook_id', '<', tenth)
      .execute();
    await sql`${sql.raw(name === 'PostgreSQL' ? 'analyze' : 'analyze table')} webhooks, webhook_patterns`.execute(
      db,
    );
    executed.length = 0;
    expect((await storage.recordDispatches([DISPATCH]))[0]?.deliveryIds).toHaveLength(10);
    const read = name === 'PostgreSQL' ? await rowsPlanned(db, executed) : await rowsRead(db);
    expect(read).toBeLessThan(MANY / 20);
  });

  it('writes a fan-out whose payloads are large in one statement on PostgreSQL, and in several elsewhere', async () => {
    const { db, storage, executed } = await open();
    for (let i = 0; i < 40; i++) await storage.createWebhook(NEW_WEBHOOK);
    executed.length = 0;
    const payload = JSON.stringify('x'.repeat(250_000));
    const [receipt] = await storage.recordDispatches([{ ...DISPATCH, payload }]);
    expect(new Set(receipt?.deliveryIds).size).toBe(40);
    const written = executed.filter((query) => query.sql.includes('insert into'));
    expect(written).toHaveLength(name === 'PostgreSQL' ? 1 : 3);
    const rows = await db.selectFrom('webhook_deliveries').select('webhook_id').distinct().execute();
    expect(rows).toHaveLength(40);
  });

  it('writes no more than 4 MB in one statement, of however many dispatches', async () => {
    const { storage, executed } = await open();
    await storage.createWebhook(NEW_WEBHOOK);
    executed.length = 0;
    const payload = JSON.stringify('x'.repeat(250_000));
    await storage.recordDispatches(Array.from({ length: 20 }, () => ({ ...DISPATCH, payload })));
    const written = executed.filter((query) => query.sql.includes('insert into'));
    expect(written.length).toBeGreaterThan(1);
  });

  it('meets no deadlock beside groups, claims and results of other processes', async () => {
    const { storage, errors, other } = await open();
    for (let i = 0; i < 5; i++) await storage.createWebhook(NEW_WEBHOOK);
    const second = kyselyStorage(other) as WebhookStorage;
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        ...Array.from({ length: 8 }, () => storage.recordDispatches([DISPATCH])),
        ...Array.from({ length: 4 }, () => second.recordDispatches([DISPATCH, DISPATCH])),
        second.claimDueDeliveries({
          now: Date.now(),
          limit: 20,
          leaseMs: 60_000,
          maxAttempts: 4,
          claimToken: `t${round}`,
          isFromStart: true,
          choose: chooseEvenly(20, 100),
        }),
      ]);
    }
    for (let id = 1; id <= 5; id++) expect(await countDeliveries(storage, id)).toMatchObject({ total: 80 });
    expect(errors).toEqual([]);
  });
});

describe('dispatches on SQLite', () => {
  test('writes the deliveries of each dispatch in the order of their webhooks, whichever pattern each was found by', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const first = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.paid'] });
    const second = await storage.createWebhook(NEW_WEBHOOK);
    const dispatch = { ...DISPATCH, target: { patterns: ['*', 'order.*', 'order.paid'] } };
    await storage.recordDispatches([dispatch, { ...dispatch, target: { webhookId: second.id } }, dispatch]);
    const rows = await db.selectFrom('webhook_deliveries').select('webhook_id').orderBy('id').execute();
    expect(rows.map(({ webhook_id }) => webhook_id)).toEqual([
      first.id,
      second.id,
      second.id,
      first.id,
      second.id,
    ]);
  });

  test('tells a webhook from a pattern that is spelt like its id', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const first = await storage.createWebhook(NEW_WEBHOOK);
    const second = await storage.createWebhook({ ...NEW_WEBHOOK, events: [String(first.id)] });
    const to = (target: typeof DISPATCH.target) => ({ ...DISPATCH, target });
    await storage.recordDispatches([to({ webhookId: first.id }), to({ patterns: [String(first.id)] })]);
    const rows = await db.selectFrom('webhook_deliveries').select('webhook_id').orderBy('id').execute();
    expect(rows.map(({ webhook_id }) => webhook_id)).toEqual([first.id, second.id]);
  });

  test('divides a group by rows, by bytes and by the payloads that are large, in its order', async () => {
    const db = await migratedSqlite();
    await kyselyStorage(db).createWebhook(NEW_WEBHOOK);
    const sized = (bytes: number) => withDispatchId({ ...DISPATCH, payload: 'x'.repeat(bytes) });
    const batchesOf = async (...dispatches: DispatchWithId[]) =>
      (await planBatches(tablesOn(db), dispatches)).map(({ rows, isOneDispatch }) => [
        rows.length,
        isOneDispatch,
      ]);
    expect(await batchesOf(...Array.from({ length: 600 }, () => sized(10)))).toEqual([
      [500, false],
      [100, false],
    ]);
    // JSON may take twice as much, and 1 MiB is the most.
    expect(await batchesOf(...Array.from({ length: 60 }, () => sized(10_000)))).toEqual([
      [52, false],
      [8, false],
    ]);
    expect(await batchesOf(sized(10), sized(30_000), sized(10), sized(10))).toEqual([
      [1, false],
      [1, true],
      [2, false],
    ]);
  });

  test('writes a fan-out beyond one statement, and all of it or nothing', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    for (let i = 0; i < 501; i++) await storage.createWebhook(NEW_WEBHOOK);
    const count = async () => (await db.selectFrom('webhook_deliveries').select('id').execute()).length;
    expect((await storage.recordDispatches([DISPATCH]))[0]?.deliveryIds).toHaveLength(501);
    expect(await count()).toBe(501);
    await sql`create trigger refuse before insert on webhook_deliveries when new.webhook_id = 501
      begin select raise(abort, 'refused by a trigger'); end`.execute(db);
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('refused by a trigger');
    expect(await count()).toBe(501);
  });
});

/** Registers through the tables, in chunks, and answers the ids in ascending order. */
async function register(db: Kysely<WebhookTables>, count: number): Promise<number[]> {
  const webhook = { url: 'https://a.example/', secret: 's', created_at: '', updated_at: '' };
  for (let start = 0; start < count; start += 1_000) {
    const length = Math.min(1_000, count - start);
    await db
      .insertInto('webhooks')
      .values(Array.from({ length }, () => webhook))
      .execute();
  }
  const rows = await db.selectFrom('webhooks').select('id').orderBy('id').execute();
  const patterns = rows.map(({ id }) => ({ pattern: 'order.*', webhook_id: id }));
  for (let start = 0; start < patterns.length; start += 1_000) {
    await db
      .insertInto('webhook_patterns')
      .values(patterns.slice(start, start + 1_000))
      .execute();
  }
  return rows.map(({ id }) => Number(id));
}

/**
 * Rows that PostgreSQL reads or throws away for these statements, as it says when they run once
 * more.
 */
async function rowsPlanned(db: Kysely<WebhookTables>, statements: readonly CompiledQuery[]): Promise<number> {
  // The ids of their deliveries are taken.
  await db.deleteFrom('webhook_deliveries').execute();
  const plans = await Promise.all(statements.map((statement) => stepsOf(db, statement)));
  return plans
    .flat()
    .reduce((sum, step) => sum + step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0), 0);
}

/**
 * Rows that MySQL reads for one more dispatch, on one connection, whose own counters have seen all
 * of it.
 */
function rowsRead(db: Kysely<WebhookTables>): Promise<number> {
  return db.connection().execute(async (connection) => {
    await sql`flush status`.execute(connection);
    await kyselyStorage(connection).recordDispatches([DISPATCH]);
    const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`.execute(
      connection,
    );
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  });
}
