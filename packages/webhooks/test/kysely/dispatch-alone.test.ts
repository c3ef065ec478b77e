import { CompiledQuery, type Dialect, Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import type { DispatchRecord } from '../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { NewWebhook } from '../../src/storage/webhook-requests.ts';
import { databaseServers } from './database-servers.ts';
import { dialectAt } from './dialect-at.ts';
import type { OpenOptions, TestDatabase } from './test-database.ts';

const NEW_WEBHOOK: NewWebhook = {
  ...{ url: 'https://a.example/', secret: 's', description: '', events: ['order.*'], isActive: true },
  ...{ createdBy: 0, createdAt: '2026-11-20T04:10:00.123Z' },
};
const DISPATCH: DispatchRecord = {
  ...{ event: 'order.paid', payload: '{"a":"\\"é"}', createdAt: NEW_WEBHOOK.createdAt },
  target: { patterns: ['*', 'order.*', 'order.paid'] },
};
const MANY = 3_000;
const NOBODY: DispatchRecord = { ...DISPATCH, target: { patterns: ['none.*', 'none.at_all'] } };

/** What no transaction has said of its isolation, and of when it commits. */
const SERIALIZABLE: Readonly<Record<string, string>> = {
  PostgreSQL: 'set default_transaction_isolation = serializable',
  'MySQL or MariaDB': 'set session transaction isolation level serializable',
};
/** Where MySQL locks what it copies from only if it is told to. */
const READ_COMMITTED: Readonly<Record<string, string>> = {
  PostgreSQL: "set default_transaction_isolation = 'read committed'",
  'MySQL or MariaDB': 'set session transaction isolation level read committed',
};
const ROUND_TRIPS: Readonly<Record<string, number>> = { PostgreSQL: 1, 'MySQL or MariaDB': 2 };

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

const servers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(servers)('a dispatch by itself on $name', ({ name, skipped, create }) => {
  const it = test.skipIf(skipped);

  async function open(options: OpenOptions = {}) {
    const database = await create();
    opened.push(database);
    const executed: CompiledQuery[] = [];
    const errors: unknown[] = [];
    const db: Kysely<WebhookTables> = database.open({
      ...options,
      log(event) {
        executed.push(event.query);
        if (event.level === 'error') errors.push(event.error);
      },
    });
    const other = database.open<WebhookTables>();
    await migrateWebhooks(other);
    const storage = kyselyStorage(db) as WebhookStorage;
    const statementsOf = async (work: () => Promise<unknown>) => {
      executed.length = 0;
      await work();
      return executed.length;
    };
    const { url } = database;
    return { url, db, storage, errors, executed, statementsOf, other };
  }

  it('takes one round trip, two where no statement writes to two tables', async () => {
    const { storage, statementsOf } = await open();
    await storage.createWebhook(NEW_WEBHOOK);
    expect(await statementsOf(() => storage.recordDispatches([DISPATCH]))).toBe(ROUND_TRIPS[name]);
    expect(await statementsOf(() => storage.recordDispatches([NOBODY]))).toBe(1);
    expect(await storage.countDeliveries(1)).toMatchObject({ total: 1, pending: 1 });
  });

  it('writes what it would have written in a group', async () => {
    const { db, storage } = await open();
    for (const events of [['none.*'], ['*', 'order.*'], ['order.paid'], ['order.*']]) {
      await storage.createWebhook({ ...NEW_WEBHOOK, events });
    }
    await storage.updateWebhook(3, { isActive: false, updatedAt: NEW_WEBHOOK.createdAt });
    const [alone] = await storage.recordDispatches([DISPATCH]);
    const [grouped] = await storage.recordDispatches([DISPATCH, NOBODY]);
    const rowsOf = (deliveryIds: readonly string[] = []) =>
      db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('delivery_id', 'in', deliveryIds)
        .orderBy('id')
        .execute();
    const [rows, expected] = [await rowsOf(alone?.deliveryIds), await rowsOf(grouped?.deliveryIds)];
    expect(rows.map(({ delivery_id }) => delivery_id)).toEqual(alone?.deliveryIds);
    expect(rows.map(({ webhook_id }) => Number(webhook_id))).toEqual([2, 4]);
    const present = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const differing = { id: expect.anything(), delivery_id: expect.stringMatching(/^[0-9a-f]{32}$/) };
    const times = { next_attempt_at: present, turn_at: present, is_counted: expect.anything() };
    expect(rows).toEqual(expected.map((row) => ({ ...row, ...differing, ...times })));
    expect(new Set([...rows, ...expected].map(({ delivery_id }) => delivery_id)).size).toBe(4);
    for (const id of [2, 4]) {
      expect(await storage.countDeliveries(id)).toMatchObject({ total: 2, pending: 2 });
      const hours = await storage.readActivity({
        webhookId: id,
        from: DISPATCH.createdAt,
        to: DISPATCH.createdAt,
      });
      expect(hours).toMatchObject([{ hour: '2026-11-20T04:00:00.000Z', pending: 2 }]);
    }
  });

  it('goes to one webhook by its id, whatever its patterns, if that is active', async () => {
    const { storage } = await open();
    await storage.createWebhook(NEW_WEBHOOK);
    await storage.createWebhook({ ...NEW_WEBHOOK, isActive: false });
    const to = async (webhookId: number) =>
      (await storage.recordDispatches([{ ...DISPATCH, event: 'webhook.test', target: { webhookId } }]))[0]
        ?.deliveryIds.length;
    expect([await to(1), await to(2), await to(3)]).toEqual([1, 0, 0]);
  });

  it.each([
    ['32 subscribers', 32, ['order.*']],
    ['33 subscribers', 33, ['order.*']],
    ['more subscribers than one statement writes', 501, ['order.*']],
    ['subscribers with more patterns than subscribers are looked up', 20, ['*', 'order.*', 'order.paid']],
  ] as const)('reaches every one of %s', async (_name, count, events) => {
    const { db, storage } = await open();
    const webhooks = await register(db, count, () => events);
    const [receipt] = await storage.recordDispatches([DISPATCH]);
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select(['delivery_id', 'webhook_id'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ delivery_id }) => delivery_id)).toEqual(receipt?.deliveryIds);
    expect(rows.map(({ webhook_id }) => Number(webhook_id))).toEqual(webhooks);
    expect(await storage.countDeliveries(1)).toMatchObject({ total: 1, pending: 1 });
  });

  it('is not tried with every dispatch of an event that has too many subscribers, and is tried again', async () => {
    const { db, storage, statementsOf } = await open();
    const [first = 0, ...others] = await register(db, 33, () => ['order.*']);
    const dispatch = (record: DispatchRecord) => statementsOf(() => storage.recordDispatches([record]));
    const [tried, ...straight] = [
      await dispatch(DISPATCH),
      await dispatch(DISPATCH),
      await dispatch(DISPATCH),
    ];
    expect(straight).toEqual([tried - 1, tried - 1]);
    // Another event is none of its business.
    expect(await dispatch({ ...NOBODY, event: 'none.at_all' })).toBe(1);
    for (const id of others) await storage.deleteWebhook(id);
    for (let n = 0; n < 29; n++) expect(await dispatch(DISPATCH)).toBeGreaterThan(ROUND_TRIPS[name] ?? 0);
    expect(await dispatch(DISPATCH)).toBe(ROUND_TRIPS[name]);
    expect(await storage.countDeliveries(first)).toMatchObject({ total: 33, pending: 33 });
  });

  it('waits for a removal under way, and writes nothing for what it removed', async () => {
    const { storage, errors, other } = await open({ onConnect: READ_COMMITTED[name] ?? '' });
    for (let i = 0; i < 3; i++) await storage.createWebhook(NEW_WEBHOOK);
    const { isEarly, receipts } = await other.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('webhooks').where('id', '=', 2).execute();
      let isWritten = false;
      const writing = storage.recordDispatches([DISPATCH]).finally(() => {
        isWritten = true;
      });
      await expect.poll(() => errors.length, { timeout: 5_000 }).toBeGreaterThan(0);
      return { isEarly: isWritten, receipts: { writing } };
    });
    expect(isEarly).toBe(false);
    expect((await receipts.writing)[0]?.deliveryIds).toHaveLength(2);
    expect(await storage.countDeliveries(2)).toMatchObject({ total: 0 });
    expect(await storage.countDeliveries(3)).toMatchObject({ total: 1 });
  });

  it('reads the patterns and webhooks that match, whatever statistics expect', async () => {
    const { db, storage, executed } = await open();
    const webhooks = await register(db, MANY, () => ['order.*']);
    await sql`${sql.raw(name === 'PostgreSQL' ? 'analyze' : 'analyze table')} webhook_patterns`.execute(db);
    const tenth = webhooks.at(-10) ?? 0;
    await db
      .updateTable('webhook_patterns')
      .set({ pattern: 'a.b' })
      .where('webhook_id', '<', tenth)
      .execute();
    expect((await storage.recordDispatches([DISPATCH]))[0]?.deliveryIds).toHaveLength(10);
    const read = name === 'PostgreSQL' ? await rowsPlanned(db, executed.slice(-1)) : await rowsRead(db);
    expect(read).toBeLessThan(MANY / 4);
  });

  it("is written whatever a session's isolation is by default, and nobody is in the way of another", async () => {
    const { storage, errors } = await open({ onConnect: SERIALIZABLE[name] ?? '' });
    await storage.createWebhook(NEW_WEBHOOK);
    await Promise.all(Array.from({ length: 40 }, () => storage.recordDispatches([DISPATCH])));
    expect(await storage.countDeliveries(1)).toMatchObject({ total: 40, pending: 40 });
    expect(errors).toEqual([]);
  });

  test.skipIf(skipped || name === 'PostgreSQL')('rejects where the session would not commit it', async () => {
    const { storage, other } = await open({ onConnect: 'set autocommit = 0' });
    await kyselyStorage(other).createWebhook(NEW_WEBHOOK);
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('Transaction characteristics');
    expect(await kyselyStorage(other).countDeliveries(1)).toMatchObject({ total: 0 });
  });

  // PostgreSQL has no uncommitted reads.
  test.skipIf(skipped || name === 'PostgreSQL').each([
    ['the old patterns and the new ones match', 'order.paid', ['order.paid', '*', 'order.*']],
    ['a pattern that stays matches', 'stays', ['stays', '*']],
  ])(
    'reads uncommitted, and is written at every moment of a change, where %s',
    async (_name, event, patterns) => {
      const { url, storage, executed, other } = await open({
        onConnect: 'set session transaction isolation level read uncommitted',
      });
      await storage.createWebhook({ ...NEW_WEBHOOK, events: ['stays', 'order.*', 'goes'] });
      const writing: Promise<unknown>[] = [];
      const statements: string[] = [];
      const changing = new Kysely<WebhookTables>({
        dialect: pausing(dialectAt(url)({}), async (statement) => {
          statements.push(statement);
          executed.length = 0;
          const written = storage.recordDispatches([{ ...DISPATCH, event, target: { patterns } }]);
          writing.push(written.then(([receipt]) => receipt?.deliveryIds.length));
          // Its look-up is over; what it writes may wait for the change.
          for (let look = 0; !executed.some((query) => query.sql.includes('webhook_patterns')); look++) {
            if (look === 5_000) throw new Error('nothing was looked up');
            await sql`select 1`.execute(other);
          }
        }),
      });
      try {
        const change = { events: ['comes', 'order.paid', 'stays'], updatedAt: NEW_WEBHOOK.createdAt };
        await kyselyStorage(changing).updateWebhook(1, change);
        expect(await Promise.all(writing)).toEqual(statements.map(() => 1));
        const written = statements.filter((text) =>
          /^(insert into|delete from) `webhook_patterns`/.test(text),
        );
        expect(written).toHaveLength(2);
      } finally {
        await changing.destroy();
      }
    },
  );

  it('meets no deadlock beside groups, claims and results of other processes', async () => {
    const { storage, errors, other } = await open();
    for (let i = 0; i < 5; i++) await storage.createWebhook(NEW_WEBHOOK);
    const peer = kyselyStorage(other) as WebhookStorage;
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        ...Array.from({ length: 8 }, () => storage.recordDispatches([DISPATCH])),
        ...Array.from({ length: 4 }, () => peer.recordDispatches([DISPATCH, DISPATCH])),
        peer.claimDueDeliveries({
          ...{ now: Date.now(), limit: 20, leaseMs: 60_000, maxAttempts: 4, claimToken: `t${round}` },
          ...{ maxPerWebhook: 100, inFlight: new Map() },
        }),
      ]);
    }
    for (let id = 1; id <= 5; id++) expect(await storage.countDeliveries(id)).toMatchObject({ total: 80 });
    expect(errors).toEqual([]);
  });
});

/** Waits after each statement, before whoever sent it hears of its end. */
function pausing(dialect: Dialect, pause: (statement: string) => Promise<void>): Dialect {
  const createDriver = dialect.createDriver.bind(dialect);
  dialect.createDriver = () => {
    const driver = createDriver();
    const acquireConnection = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => {
      const connection = await acquireConnection();
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = async <Row>(query: CompiledQuery) => {
        const result = await executeQuery<Row>(query);
        await pause(query.sql);
        return result;
      };
      return connection;
    };
    return driver;
  };
  return dialect;
}

/** Registers through the tables, in chunks, and answers the ids in ascending order. */
async function register(
  db: Kysely<WebhookTables>,
  count: number,
  eventsOf: (index: number) => readonly string[],
): Promise<number[]> {
  const webhook = { url: 'https://a.example/', secret: 's', created_at: '', updated_at: '' };
  for (let start = 0; start < count; start += 1_000) {
    const length = Math.min(1_000, count - start);
    await db
      .insertInto('webhooks')
      .values(Array.from({ length }, () => webhook))
      .execute();
  }
  const rows = await db.selectFrom('webhooks').select('id').orderBy('id').execute();
  const patterns = rows.flatMap(({ id }, index) =>
    eventsOf(index).map((pattern) => ({ pattern, webhook_id: id })),
  );
  for (let start = 0; start < patterns.length; start += 1_000) {
    await db
      .insertInto('webhook_patterns')
      .values(patterns.slice(start, start + 1_000))
      .execute();
  }
  return rows.map(({ id }) => Number(id));
}

/** Rows that PostgreSQL reads or throws away for these statements, as it says when they run once more. */
async function rowsPlanned(db: Kysely<WebhookTables>, statements: readonly CompiledQuery[]): Promise<number> {
  let read = 0;
  // Their ids are the same the second time.
  await db.deleteFrom('webhook_deliveries').execute();
  for (const { sql: text, parameters } of statements) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(`explain analyze ${text}`, [...parameters]));
    for (const line of rows.map((row) => Object.values(Object(row)).join())) {
      const [, rowsOut = '0'] = /actual time=\S+ rows=(\d+)/.exec(line) ?? [];
      const [, removed = '0'] = /Rows Removed by Filter: (\d+)/.exec(line) ?? [];
      read += Number(rowsOut) + Number(removed);
    }
  }
  return read;
}

/** Rows that MySQL reads for one more dispatch, on one connection, whose own counters have seen all of it. */
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
