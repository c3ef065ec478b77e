import {
  type Dialect,
  Kysely,
  type KyselyPlugin,
  MssqlAdapter,
  SqliteAdapter,
  SqliteDialect,
  sql,
} from 'kysely';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { chosenCases } from '../../../../test/contract/chosen-cases.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { byColumn } from '../../src/storage/field.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import { newSettings, WEBHOOK_SETTINGS } from '../../src/storage/webhook-record.ts';
import { CASES_OF_NAMES } from '../contract/storage-cases.ts';
import { countDeliveries } from '../count-deliveries.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from './example-rows.ts';
import { migratedSqlite, newSqlite } from './migrated-sqlite.ts';
import { ODD_DRIVERS } from './odd-drivers.ts';

const CREATED_AT = NEW_WEBHOOK.createdAt;

describe('a transaction on SQLite', () => {
  test('goes past plugins of the host from begin to commit', async () => {
    const file = newSqlite();
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
    const db = await migratedSqlite();
    // As SQLite does when the disk is full.
    await sql`create trigger full before insert on webhook_patterns
      begin select raise(rollback, 'the disk is full'); end`.execute(db);
    const storage = kyselyStorage(db);
    await expect(storage.createWebhook(NEW_WEBHOOK)).rejects.toThrow('the disk is full');
    await sql`drop trigger full`.execute(db);
    expect(await storage.createWebhook(NEW_WEBHOOK)).toMatchObject({ url: NEW_WEBHOOK.url });
  });
});

describe.each(ODD_DRIVERS)('$name', ({ cases }) => {
  for (const { name, run } of chosenCases(cases, CASES_OF_NAMES)) test(name, run);
});

describe('the columns that the tables document', () => {
  test('are written for a webhook', async () => {
    const db = await migratedSqlite();
    await kyselyStorage(db).createWebhook({ ...NEW_WEBHOOK, events: ['order.*', '*'] });
    expect(await db.selectFrom('webhooks').selectAll().execute()).toEqual([
      {
        ...byColumn(WEBHOOK_SETTINGS, newSettings(NEW_WEBHOOK)),
        id: 1,
        tenant: '',
        secret: 's',
        events: '["order.*","*"]',
        is_active: 1,
        created_by: 0,
        created_by_uid: null,
        created_at: CREATED_AT,
        updated_at: CREATED_AT,
        is_removed: 0,
        previous_secret: null,
        previous_secret_expires_at: null,
        activations: 0,
        inactive_reason: '',
        inactive_since: null,
        // For later versions.
        headers: null,
        filter: null,
      },
    ]);
  });

  test('are written for a delivery that was claimed', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH]);
    const [claim] = await storage.claimDueDeliveries({ ...CLAIM, leaseMs: 30_000 });
    expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([
      {
        id: 1,
        webhook_id: 1,
        delivery_id: claim?.deliveryId,
        event: 'order.paid',
        status: 'pending',
        payload: '{}',
        status_code: 0,
        response_body: '',
        error: '',
        attempts: 1,
        series_start: 0,
        series_since: null,
        deferrals: 0,
        attempt_log: '[]',
        created_at: CREATED_AT,
        completed_at: null,
        next_attempt_at: CREATED_AT,
        locked_until: '2026-11-20T04:10:30.123Z',
        claim_token: 't',
        priority_at: CREATED_AT,
        recorded_token: null,
        // For later versions.
        trace_context: null,
        event_at: null,
      },
    ]);
  });

  test('hold the last lease of a delivery, and none once its result is recorded', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches([DISPATCH]);
    const request = { ...CLAIM, leaseMs: 30_000 };
    const [claim] = await storage.claimDueDeliveries(request);
    const late = { ...request, now: request.now + 30_000, claimToken: 'u' };
    await storage.claimDueDeliveries(late);
    const held = db.selectFrom('webhook_deliveries').select(['locked_until', 'claim_token']);
    expect(await held.execute()).toEqual([{ locked_until: '2026-11-20T04:11:00.123Z', claim_token: 'u' }]);
    await storage.recordAttempts(
      [{ ...successOf(claim?.id ?? 0), claimToken: 'u', now: late.now }],
      RESULT_RULES,
    );
    expect(await held.execute()).toEqual([{ locked_until: null, claim_token: null }]);
  });
});

describe("the database's own error", () => {
  test('is what a storage without tables rejects with', async () => {
    const storage = kyselyStorage(newSqlite().open());
    await expect(storage.findWebhook(1)).rejects.toThrow('migrateWebhooks');
    await expect(storage.createWebhook(NEW_WEBHOOK)).rejects.toThrow('migrateWebhooks');
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('migrateWebhooks');
  });

  test('is what a closed database rejects with', async () => {
    const database = new Database(':memory:');
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    database.close();
    await expect(countDeliveries(storage, 1)).rejects.toThrow('not open');
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('not open');
  });

  test('is what a read-only database rejects writes with, while reads go on', async () => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const webhook = await storage.createWebhook(NEW_WEBHOOK);
    await sql`pragma query_only = on`.execute(db);
    await expect(storage.recordDispatches([DISPATCH])).rejects.toThrow(
      'attempt to write a readonly database',
    );
    expect(await storage.findWebhook(webhook.id)).toEqual(webhook);
  });
});

describe('construction', () => {
  test('refuses a database it cannot serve', async () => {
    const dialect: Dialect = Object.assign(newSqlite().dialect(), {
      createAdapter: () => new MssqlAdapter(),
    });
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
    expect(() => kyselyStorage(db)).toThrow(
      new TypeError('db must be a Kysely instance for SQLite, PostgreSQL, MySQL or MariaDB'),
    );
  });

  test('refuses a transaction in place of an instance', async () => {
    const db = await migratedSqlite();
    await db.transaction().execute(async (transaction) => {
      expect(() => kyselyStorage<WebhookTables>(transaction)).toThrow('not a transaction');
    });
  });

  test("knows SQLite by a subclass of its adapter, and by the adapter of another copy of Kysely's", async () => {
    class FromElsewhere extends SqliteAdapter {}
    const anotherCopy = { SqliteAdapter: class SqliteAdapter {} }.SqliteAdapter.prototype;
    for (const adapter of [new FromElsewhere(), Object.setPrototypeOf(new SqliteAdapter(), anotherCopy)]) {
      const dialect: Dialect = Object.assign(newSqlite().dialect(), { createAdapter: () => adapter });
      const db = new Kysely<unknown>({ dialect });
      expect(kyselyStorage(db)).toBeDefined();
      await db.destroy();
    }
  });
});
