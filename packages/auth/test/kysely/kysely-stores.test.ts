import { Kysely, SqliteAdapter, SqliteDialect, sql } from 'kysely';
import Database from 'libsql';
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { type SqliteFile, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { hashApiKey } from '../../src/api-keys/api-key.ts';
import { type ApiKeys, createApiKeys } from '../../src/api-keys/api-keys.ts';
import { Claims } from '../../src/claims.ts';
import {
  type authMigrations,
  kyselyApiKeys,
  kyselySessionStore,
  migrateAuth,
} from '../../src/kysely/index.ts';
import type { SessionStore } from '../../src/sessions/store/session-store.ts';
import { instanceAt } from '../fake-clock.ts';
import { EXAMPLE_SESSION } from './example-session.ts';

/** A host's tables; one has a name of ours and another shape. */
interface Big {
  orders: { id: string; total: number; placed_at: Date };
  api_keys: { slug: string };
}

const BOUND = { instance: '/api' };
const UNBOUND = 'API keys are bound to an instance: give auth, instance or prefix';
const OWNER = new Claims({ uid: '42', scopes: ['orders:read'] });

function newFile(): SqliteFile {
  return untilFinished(sqliteFile());
}

test('a call of a store has one bound, its own', async () => {
  const db = newFile().open();
  await migrateAuth(db);
  const store = kyselySessionStore(db);
  // Behind its first call, a store asks which database it is on.
  await store.findByToken({ tokenHash: '', instance: '', now: 0 });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  await store.create(EXAMPLE_SESSION);
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([5_000]);
});

describe("the database's own error", () => {
  test('is what a missing table rejects with', async () => {
    const db = newFile().open();
    await expect(kyselySessionStore(db).create(EXAMPLE_SESSION)).rejects.toThrow(
      'no such table: refresh_tokens',
    );
    await expect(kyselyApiKeys(db, BOUND).list(OWNER)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: 'no such table: api_keys' },
    });
  });

  test('is what a closed database rejects with, so that nobody is let in', async () => {
    const database = new Database(':memory:');
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    await migrateAuth(db);
    const apiKeys = kyselyApiKeys(db, BOUND);
    const { key } = await apiKeys.create(OWNER, { name: 'x' });
    database.close();
    await expect(apiKeys.validator(hashApiKey(key))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('not open') },
    });
    const token = { tokenHash: EXAMPLE_SESSION.tokenHash, instance: '/api', now: 1_000 };
    await expect(kyselySessionStore(db).findByToken(token)).rejects.toThrow('not open');
  });

  test('is what a row that somebody else wrote badly rejects with', async () => {
    const db = newFile().open();
    await migrateAuth(db);
    const apiKeys = kyselyApiKeys(db, BOUND);
    const { key } = await apiKeys.create(OWNER, { name: 'x' });
    await sql`update api_keys set scopes = '["orders:read"'`.execute(db);
    await expect(apiKeys.validator(hashApiKey(key))).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.any(SyntaxError),
    });
  });

  test('is what a read-only database rejects writes with, while keys are still let in', async () => {
    const db = newFile().open();
    await migrateAuth(db);
    const logged: object[] = [];
    const apiKeys = kyselyApiKeys(db, {
      auth: instanceAt(Date.now, BOUND.instance, (fields) => void logged.push(fields)),
    });
    const { key } = await apiKeys.create(OWNER, { name: 'x', scopes: ['orders:read'] });
    await sql`pragma query_only = on`.execute(db);
    expect(await apiKeys.validator(hashApiKey(key))).toMatchObject({ uid: '42', scopes: ['orders:read'] });
    await apiKeys.idle();
    expect(logged).toMatchObject([{ err: { cause: { message: 'attempt to write a readonly database' } } }]);
    await expect(apiKeys.create(OWNER, { name: 'y' })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('readonly') },
    });
  });
});

describe('construction', () => {
  test('refuses a database that is not supported', async () => {
    const file = newFile();
    const adapter = Object.setPrototypeOf({}, class MssqlAdapter {}.prototype);
    const dialect = new SqliteDialect({ database: new Database(':memory:') });
    const db = new Kysely<unknown>({ dialect: Object.assign(dialect, { createAdapter: () => adapter }) });
    const refusal = /its adapter is MssqlAdapter/;
    expect(() => kyselySessionStore(db)).toThrow(refusal);
    expect(() => kyselyApiKeys(db, BOUND)).toThrow(refusal);
    await expect(migrateAuth(db)).rejects.toThrow(refusal);
    expect(() => kyselySessionStore(file.open())).not.toThrow();
  });

  test('refuses a transaction in place of an instance, and an option out of bounds', async () => {
    const db = newFile().open();
    await db.transaction().execute(async (transaction) => {
      expect(() => kyselySessionStore(transaction)).toThrow('not a transaction');
      expect(() => kyselyApiKeys(transaction, BOUND)).toThrow('not a transaction');
    });
    expect(() => kyselyApiKeys(db, { prefix: 'No' })).toThrow(TypeError);
    expect(() => kyselyApiKeys(db, {})).toThrow(new TypeError(UNBOUND));
    expect(() => kyselyApiKeys(db, undefined as never)).toThrow(TypeError);
  });

  test("knows a database by a subclass of its adapter, and by the adapter of another copy of Kysely's", async () => {
    class FromElsewhere extends SqliteAdapter {}
    const anotherCopy = { SqliteAdapter: class SqliteAdapter {} }.SqliteAdapter.prototype;
    for (const adapter of [new FromElsewhere(), Object.setPrototypeOf(new SqliteAdapter(), anotherCopy)]) {
      const dialect = new SqliteDialect({ database: new Database(':memory:') });
      const db = new Kysely<unknown>({ dialect: Object.assign(dialect, { createAdapter: () => adapter }) });
      expect(kyselySessionStore(db)).toBeDefined();
      await db.destroy();
    }
  });
});

// The compiler is the test: `npm run check:types` fails where one of these does not hold.
test("the stores take the host's own instance, without a cast", () => {
  expectTypeOf(kyselySessionStore<Big>)
    .parameter(0)
    .toEqualTypeOf<Kysely<Big>>();
  expectTypeOf(kyselySessionStore<Big>).returns.toEqualTypeOf<SessionStore>();
  expectTypeOf(kyselyApiKeys<Big>)
    .parameter(0)
    .toEqualTypeOf<Kysely<Big>>();
  expectTypeOf(kyselyApiKeys<Big>).returns.toEqualTypeOf<ApiKeys>();
  expectTypeOf(createApiKeys).returns.toEqualTypeOf<ApiKeys>();
  expectTypeOf<(db: Kysely<Big>) => unknown>(migrateAuth).toBeFunction();
  expectTypeOf<typeof authMigrations>().toExtend<Record<string, { up(db: Kysely<Big>): Promise<void> }>>();
});

test('options that the stores do not have are refused by name, and nothing is migrated', async () => {
  const db = newFile().open();
  // A host without types, or of another release.
  const prefixed = { prefixOfTables: 'acme_' } as object as Record<string, never>;
  const refusal = /unknown option "prefixOfTables"/;
  expect(() => kyselySessionStore(db, prefixed)).toThrow(refusal);
  expect(() => kyselyApiKeys(db, { ...BOUND, ...prefixed })).toThrow(refusal);
  await expect(migrateAuth(db, prefixed)).rejects.toThrow(refusal);
  await expect(sql`select * from auth_migrations`.execute(db)).rejects.toThrow(/no such table/);
});
