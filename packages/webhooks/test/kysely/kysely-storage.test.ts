import {
  CamelCasePlugin,
  type Dialect,
  Kysely,
  type KyselyPlugin,
  type LogEvent,
  MssqlAdapter,
  ParseJSONResultsPlugin,
  SqliteAdapter,
  SqliteDialect,
  sql,
} from 'kysely';
import Database from 'libsql';
import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import type { ClaimRequest, DispatchRecord } from '../../src/storage/delivery-requests.ts';
import type { NewWebhook } from '../../src/storage/webhook-requests.ts';
import { storageContract } from '../../src/testing/index.ts';
import { type SqliteFile, sqliteFile } from './sqlite-database.ts';

const CREATED_AT = '2026-11-20T04:10:00.123Z';
const NEW_WEBHOOK: NewWebhook = {
  url: 'https://a.example/',
  secret: 'whsec_abc',
  description: '',
  events: ['*'],
  isActive: true,
  createdBy: 0,
  createdAt: CREATED_AT,
};
const DISPATCH: DispatchRecord = {
  event: 'order.paid',
  payload: '{"snake_case":1}',
  createdAt: CREATED_AT,
  target: { patterns: ['*'] },
};

const CLAIM: ClaimRequest = {
  now: Date.parse(CREATED_AT),
  limit: 9,
  leaseMs: 1_000,
  maxAttempts: 4,
  claimToken: 't',
  maxPerWebhook: 1_000,
  inFlight: new Map(),
};

const files: SqliteFile[] = [];
afterEach(async () => {
  for (const file of files.splice(0)) await file.remove();
});

function newFile(): SqliteFile {
  const file = sqliteFile();
  files.push(file);
  return file;
}

async function migrated(): Promise<Kysely<WebhookTables>> {
  const db = newFile().open<WebhookTables>();
  await migrateWebhooks(db);
  return db;
}

test('writes the deliveries of each dispatch in the order of their webhooks, whichever pattern each was found by', async () => {
  const db = await migrated();
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
  await db.destroy();
});

test('tells a webhook from a pattern that is spelt like its id', async () => {
  const db = await migrated();
  const storage = kyselyStorage(db);
  const first = await storage.createWebhook(NEW_WEBHOOK);
  const second = await storage.createWebhook({ ...NEW_WEBHOOK, events: [String(first.id)] });
  const to = (target: typeof DISPATCH.target) => ({ ...DISPATCH, target });
  await storage.recordDispatches([to({ webhookId: first.id }), to({ patterns: [String(first.id)] })]);
  const rows = await db.selectFrom('webhook_deliveries').select('webhook_id').orderBy('id').execute();
  expect(rows.map(({ webhook_id }) => webhook_id)).toEqual([first.id, second.id]);
  await db.destroy();
});

test('writes no parameter beyond 4 MiB for a group of dispatches, whatever its payloads take in JSON', async () => {
  let longest = 0;
  const log = ({ query }: LogEvent) => {
    for (const parameter of query.parameters) longest = Math.max(longest, String(parameter).length);
  };
  const file = newFile();
  await migrateWebhooks(file.open());
  const db = new Kysely<unknown>({ dialect: file.dialect(), log });
  try {
    const storage = kyselyStorage(db);
    await storage.createWebhook(NEW_WEBHOOK);
    const payloadOf = (n: number) => JSON.stringify({ n, quotes: '"'.repeat(30_000) });
    const dispatches = Array.from({ length: 100 }, (_, n) => ({ ...DISPATCH, payload: payloadOf(n) }));
    await storage.recordDispatches(dispatches);
  } finally {
    await db.destroy();
  }
  expect(longest).toBeGreaterThan(1024 * 1024);
  expect(longest).toBeLessThan(4.1 * 1024 * 1024);
});

describe('a transaction on SQLite', () => {
  test('goes past plugins of the host from begin to commit', async () => {
    const file = newFile();
    const plugin: KyselyPlugin = {
      transformQuery() {
        throw new Error('this plugin lets no statement through');
      },
      transformResult: async ({ result }) => result,
    };
    await migrateWebhooks(file.open());
    const db = new Kysely<unknown>({ dialect: file.dialect(), plugins: [plugin] });
    try {
      const storage = kyselyStorage(db);
      const created = await storage.createWebhook(NEW_WEBHOOK);
      expect(await storage.findWebhook(created.id)).toEqual(created);
    } finally {
      await db.destroy();
    }
  });

  test('fails with what went wrong first when SQLite has rolled it back by itself, and leaves the connection usable', async () => {
    const db = await migrated();
    // As SQLite does when the disk is full.
    await sql`create trigger full before insert on webhook_patterns
      begin select raise(rollback, 'the disk is full'); end`.execute(db);
    const storage = kyselyStorage(db);
    await expect(storage.createWebhook(NEW_WEBHOOK)).rejects.toThrow('the disk is full');
    await sql`drop trigger full`.execute(db);
    expect(await storage.createWebhook(NEW_WEBHOOK)).toMatchObject({ url: NEW_WEBHOOK.url });
  });
});

describe('with plugins of the host that rename columns and parse results', () => {
  const cases = storageContract(
    async () => {
      const file = newFile();
      const plugins = [new CamelCasePlugin(), new ParseJSONResultsPlugin()];
      const db = new Kysely<unknown>({ dialect: file.dialect(), plugins });
      await migrateWebhooks(db);
      return {
        storage: kyselyStorage(db),
        inTransaction: (work) => db.transaction().execute(work),
        close: () => db.destroy(),
      };
    },
    { hasTransactions: true },
  );
  const samples = [
    /as it was given/,
    /all that an attempt needs/,
    /keeps payloads exactly/,
    /host's transaction/,
  ];
  for (const { name, run } of cases.filter((one) => samples.some((sample) => sample.test(one.name)))) {
    test(name, run);
  }
});

describe('atomicity', () => {
  test('writes none of a group when one of its statements fails', async () => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await sql`create trigger refuse before insert on webhook_deliveries when new.event = 'order.bad'
      begin select raise(abort, 'refused by a trigger'); end`.execute(db);
    const good = { ...DISPATCH, idempotencyKey: 'k' };
    await expect(storage.recordDispatches([good, { ...DISPATCH, event: 'order.bad' }])).rejects.toThrow(
      'refused by a trigger',
    );
    expect(await storage.countDeliveries(id)).toMatchObject({ total: 0 });
    expect(await storage.recordDispatches([good])).toMatchObject([{ repeated: false }]);
  });

  test('records none of a group when one of its statements fails', async () => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH, DISPATCH]);
    const request = { ...CLAIM, limit: 2 };
    const claims = await storage.claimDueDeliveries(request);
    await sql`create trigger refuse before update on webhook_deliveries when new.status_code = 599
      begin select raise(abort, 'refused by a trigger'); end`.execute(db);
    const results = claims.map(({ id: claimed }, i) => ({
      id: claimed,
      claimToken: 't',
      status: 'success' as const,
      statusCode: 200 + i * 399,
      responseBody: '',
      error: '',
      attemptLog: [],
      activation: 0,
      now: request.now,
      retryInMs: 0,
    }));
    await expect(storage.recordAttempts(results)).rejects.toThrow('refused by a trigger');
    expect(await storage.countDeliveries(id)).toMatchObject({ pending: 2, success: 0 });
  });

  test('leaves no row of a removed webhook, whether or not the connection enforces foreign keys', async () => {
    for (const foreignKeys of ['on', 'off']) {
      const db = await migrated();
      await sql`pragma foreign_keys = ${sql.raw(foreignKeys)}`.execute(db);
      const storage = kyselyStorage(db);
      const { id } = await storage.createWebhook(NEW_WEBHOOK);
      await storage.recordDispatches([DISPATCH]);
      await storage.deleteWebhook(id);
      for (const table of ['webhooks', 'webhook_patterns', 'webhook_deliveries'] as const) {
        expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
      }
    }
  });

  test('removes nothing and reports nothing when a purge fails on its way', async () => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches(Array.from({ length: 250 }, () => DISPATCH));
    await sql`create trigger refuse before delete on webhook_deliveries when old.id = 201
      begin select raise(abort, 'refused by a trigger'); end`.execute(db);
    const request = { createdBefore: '2027', now: Date.parse(CREATED_AT), limit: 250 };
    await expect(storage.purgeDeliveries(request)).rejects.toThrow('refused by a trigger');
    expect(await storage.countDeliveries(id)).toMatchObject({ total: 250, pending: 250 });
    await sql`drop trigger refuse`.execute(db);
    const { removed, expired } = await storage.purgeDeliveries(request);
    expect([removed, expired.length]).toEqual([250, 250]);
  });

  test('splits a dispatch of large payloads into statements, and writes every row', async () => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    for (let i = 0; i < 40; i++) await storage.createWebhook(NEW_WEBHOOK);
    const payload = JSON.stringify('x'.repeat(250_000));
    const [receipt] = await storage.recordDispatches([{ ...DISPATCH, payload }]);
    expect(new Set(receipt?.deliveryIds).size).toBe(40);
    const webhookIds = await db.selectFrom('webhook_deliveries').select('webhook_id').distinct().execute();
    expect(webhookIds).toHaveLength(40);
  });
});

describe('a removal that fails on its way', () => {
  const request = CLAIM;

  async function interrupted() {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    const [receipt] = await storage.recordDispatches(Array.from({ length: 250 }, () => DISPATCH));
    const [held] = await storage.claimDueDeliveries({ ...request, limit: 1 });
    await sql`create trigger refuse before delete on webhook_deliveries when old.id = 150
      begin select raise(abort, 'refused by a trigger'); end`.execute(db);
    await expect(storage.deleteWebhook(id)).rejects.toThrow('refused by a trigger');
    await sql`drop trigger refuse`.execute(db);
    const left = await db.selectFrom('webhook_deliveries').select('id').execute();
    expect(left).toHaveLength(150);
    return { db, storage, id, deliveryId: receipt?.deliveryIds[0] ?? '', held };
  }

  async function rowsLeft(db: Kysely<WebhookTables>) {
    const deliveries = await db.selectFrom('webhook_deliveries').selectAll().execute();
    return [...deliveries, ...(await db.selectFrom('webhooks').selectAll().execute())];
  }

  test('leaves nothing to find, match, claim, record or change, and no secret', async () => {
    const { db, storage, id, held } = await interrupted();
    const last = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'delivery_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(await storage.findWebhook(id)).toBeUndefined();
    const query = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    expect(await storage.listWebhooks(query)).toEqual({ webhooks: [], total: 0 });
    expect(await storage.updateWebhook(id, { isActive: true, updatedAt: CREATED_AT })).toBeUndefined();
    expect(await storage.deleteWebhook(id)).toBe(false);
    expect(await storage.countDeliveries(id)).toMatchObject({ total: 0 });
    expect(await storage.listDeliveries({ webhookId: id, limit: 101 })).toEqual([]);
    expect(await storage.findDelivery(id, last.delivery_id)).toBeUndefined();
    expect(await storage.claimDueDeliveries(request)).toEqual([]);
    for (const target of [{ patterns: ['*'] }, { webhookId: id }]) {
      expect(await storage.recordDispatches([{ ...DISPATCH, target }])).toMatchObject([{ deliveryIds: [] }]);
    }
    await db.updateTable('webhook_deliveries').set({ claim_token: 't' }).where('id', '=', last.id).execute();
    const result = {
      id: last.id,
      claimToken: 't',
      status: 'success' as const,
      statusCode: 200,
      responseBody: '',
      error: '',
      attemptLog: [],
      activation: 0,
      now: request.now,
      retryInMs: 0,
    };
    expect(await storage.recordAttempts([result, { ...result, id: held?.id ?? 0 }])).toEqual([
      'gone',
      'gone',
    ]);
    expect(await db.selectFrom('webhooks').select('secret').execute()).toEqual([{ secret: '' }]);
  });

  test('is finished by the next purge, which reports none of it as expired', async () => {
    const { db, storage } = await interrupted();
    const stays = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([{ ...DISPATCH, createdAt: '2026-01-01T00:00:00.000Z' }, DISPATCH]);
    const purge = (limit: number) =>
      storage.purgeDeliveries({ createdBefore: '2026-06-01', now: request.now, limit });
    expect(await purge(100)).toEqual({ removed: 100, expired: [] });
    const last = await purge(100);
    expect(last).toMatchObject({ removed: 51, expired: [{ webhookId: stays.id }] });
    expect(await purge(100)).toEqual({ removed: 0, expired: [] });
    expect(await rowsLeft(db)).toMatchObject([{ webhook_id: stays.id }, { id: stays.id }]);
  });

  test('is finished even when what is left is exactly the limit', async () => {
    const { db, storage } = await interrupted();
    const purge = (limit: number) =>
      storage.purgeDeliveries({ createdBefore: '2026-01-01', now: request.now, limit });
    expect([await purge(150), await purge(150)].map(({ removed }) => removed)).toEqual([150, 0]);
    expect(await rowsLeft(db)).toEqual([]);
  });
});

test('removes a long history without holding up the process or other operations', async () => {
  const db = await migrated();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook(NEW_WEBHOOK);
  await storage.createWebhook({ ...NEW_WEBHOOK, events: ['user.*'] });
  await storage.recordDispatches(Array.from({ length: 1_000 }, () => DISPATCH));
  const order: string[] = [];
  const removing = storage.deleteWebhook(id).then(() => order.push('removed'));
  setImmediate(() => order.push('a turn of the event loop'));
  const dispatch = { ...DISPATCH, event: 'user.created', target: { patterns: ['user.*'] } };
  await storage.recordDispatches([dispatch]).then(() => order.push('dispatched'));
  await removing;
  expect(order.at(-1)).toBe('removed');
  expect(order).toHaveLength(3);
});

describe('storing', () => {
  test('writes the columns that the tables document', async () => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.*', '*'] });
    await storage.recordDispatches([DISPATCH]);
    expect(await db.selectFrom('webhooks').selectAll().execute()).toEqual([
      {
        id: 1,
        url: 'https://a.example/',
        secret: 'whsec_abc',
        description: '',
        events: '["order.*","*"]',
        is_active: 1,
        created_by: 0,
        created_at: CREATED_AT,
        updated_at: CREATED_AT,
        is_removed: 0,
        previous_secret: null,
        previous_secret_expires_at: null,
        activations: 0,
        inactive_reason: '',
      },
    ]);
    const request = { ...CLAIM, limit: 1, leaseMs: 30_000 };
    const [claim] = await storage.claimDueDeliveries(request);
    expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([
      {
        id: 1,
        webhook_id: 1,
        delivery_id: claim?.deliveryId,
        event: 'order.paid',
        status: 'pending',
        payload: '{"snake_case":1}',
        status_code: 0,
        response_body: '',
        error: '',
        attempts: 1,
        series_start: 0,
        attempt_log: '[]',
        created_at: CREATED_AT,
        completed_at: null,
        next_attempt_at: CREATED_AT,
        locked_until: '2026-11-20T04:10:30.123Z',
        claim_token: 't',
        priority_at: CREATED_AT,
        is_counted: 1,
        activation: 0,
        recorded_token: null,
      },
    ]);
    const lateRequest = { ...request, now: request.now + 30_000, claimToken: 'u' };
    await storage.claimDueDeliveries(lateRequest);
    const held = db.selectFrom('webhook_deliveries').select(['locked_until', 'claim_token']);
    expect(await held.execute()).toEqual([{ locked_until: '2026-11-20T04:11:00.123Z', claim_token: 'u' }]);
    await storage.recordAttempts([
      {
        id: 1,
        claimToken: 'u',
        status: 'failed',
        statusCode: 0,
        responseBody: '',
        error: 'timeout',
        attemptLog: [],
        activation: 0,
        now: lateRequest.now,
        retryInMs: 0,
      },
    ]);
    expect(await held.execute()).toEqual([{ locked_until: null, claim_token: null }]);
  });
});

describe('a row that somebody else damaged', () => {
  const unreadable = ['', '{', 'null', '{"0":1}', '"text"', '7'];
  const request = CLAIM;

  test.each(unreadable)('holds up no other delivery: attempt_log %j reads as an empty log', async (text) => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH, DISPATCH]);
    await db.updateTable('webhook_deliveries').set({ attempt_log: text }).where('id', '=', 1).execute();
    const claims = await storage.claimDueDeliveries(request);
    expect(claims.map(({ attemptLog }) => attemptLog)).toEqual([[], []]);
    const found = await storage.findDelivery(id, claims[0]?.deliveryId ?? '');
    expect(found?.attemptLog).toEqual([]);
  });

  test.each(unreadable)('hides no other webhook: events %j read as none', async (text) => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const damaged = await storage.createWebhook(NEW_WEBHOOK);
    const sound = await storage.createWebhook(NEW_WEBHOOK);
    await db.updateTable('webhooks').set({ events: text }).where('id', '=', damaged.id).execute();
    const query = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    const { webhooks } = await storage.listWebhooks(query);
    expect(webhooks).toEqual([{ ...damaged, events: [] }, sound]);
    const change = { events: ['a.b'], updatedAt: CREATED_AT };
    expect(await storage.updateWebhook(damaged.id, change)).toMatchObject({ events: ['a.b'] });
  });
});

describe("the database's own error", () => {
  test('is what a storage without tables rejects with', async () => {
    const storage = kyselyStorage(newFile().open());
    await expect(storage.findWebhook(1)).rejects.toThrow('no such table: webhooks');
    await expect(storage.createWebhook(NEW_WEBHOOK)).rejects.toThrow('no such table: webhooks');
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('no such table');
  });

  test('is what a closed database rejects with', async () => {
    const database = new Database(':memory:');
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    database.close();
    await expect(storage.countDeliveries(1)).rejects.toThrow('not open');
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('not open');
  });

  test('is what a read-only database rejects writes with, while reads go on', async () => {
    const db = await migrated();
    const storage = kyselyStorage(db);
    const webhook = await storage.createWebhook(NEW_WEBHOOK);
    await sql`pragma query_only = on`.execute(db);
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow(
      'attempt to write a readonly database',
    );
    expect(await storage.findWebhook(webhook.id)).toEqual(webhook);
  });

  test('is what a transaction that has ended rejects with', async ({ skip }) => {
    const db = await migrated();
    const ended = await db.transaction().execute(async (transaction) => transaction);
    const isRefused = await sql`select 1`.execute(ended).then(
      () => false,
      () => true,
    );
    skip(!isRefused, 'Kysely refuses it from 0.28.11 on');
    await expect(kyselyStorage(db).recordDispatches([DISPATCH], ended)).rejects.toThrow('already committed');
  });
});

describe('construction', () => {
  test('refuses a database it cannot serve', async () => {
    const dialect: Dialect = Object.assign(newFile().dialect(), { createAdapter: () => new MssqlAdapter() });
    const db = new Kysely<unknown>({ dialect });
    expect(() => kyselyStorage(db)).toThrow(
      new TypeError(
        'db must be a Kysely instance for SQLite, PostgreSQL, MySQL or MariaDB; its adapter is MssqlAdapter',
      ),
    );
    await expect(migrateWebhooks(db)).rejects.toThrow(TypeError);
  });

  test.each([undefined, {}, 'app.db'])('refuses %j, which is no instance', (db) => {
    // @ts-expect-error what JavaScript may pass
    expect(() => kyselyStorage(db)).toThrow(new TypeError('db must be a Kysely instance'));
  });

  test('refuses a transaction in place of an instance', async () => {
    const db = await migrated();
    await db.transaction().execute(async (transaction) => {
      expect(() => kyselyStorage<WebhookTables>(transaction)).toThrow('not a transaction');
    });
  });

  test("knows SQLite by a subclass of its adapter, and by the adapter of another copy of Kysely's", async () => {
    class FromElsewhere extends SqliteAdapter {}
    const anotherCopy = { SqliteAdapter: class SqliteAdapter {} }.SqliteAdapter.prototype;
    for (const adapter of [new FromElsewhere(), Object.setPrototypeOf(new SqliteAdapter(), anotherCopy)]) {
      const dialect: Dialect = Object.assign(newFile().dialect(), { createAdapter: () => adapter });
      const db = new Kysely<unknown>({ dialect });
      expect(kyselyStorage(db)).toBeDefined();
      await db.destroy();
    }
  });
});
