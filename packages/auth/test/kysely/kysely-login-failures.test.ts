import { AsyncLocalStorage } from 'node:async_hooks';
import { type Kysely, sql } from 'kysely';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { tablesOf } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { findDialect } from '../../src/kysely/dialect.ts';
import { kyselyLoginFailures, migrateAuth } from '../../src/kysely/index.ts';
import { authNaming } from '../../src/kysely/names.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import type { LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import { fakeDate } from '../fake-clock.ts';
import { databaseServers } from './database-servers.ts';

const BATCH = 16;

/** Makes the database refuse to remove rows that count a failure, as a purge does. */
async function refuseDeletes(db: Kysely<AuthTables>): Promise<void> {
  const dialect = findDialect(db).name;
  if (dialect === 'postgres') {
    await sql`create function refuse() returns trigger as
      $$ begin raise exception 'no deletes'; end $$ language plpgsql`.execute(db);
    await sql`create trigger refuse before delete on login_failures
      for each row execute function refuse()`.execute(db);
  } else if (dialect === 'mysql') {
    await sql`create trigger refuse before delete on login_failures
      for each row signal sqlstate '45000'`.execute(db);
  } else {
    await sql`create trigger refuse before delete on login_failures
      begin select raise(abort, 'no deletes'); end`.execute(db);
  }
}

describe.each(databaseServers)('on $name', ({ skipped, create }) => {
  async function open() {
    const database = untilFinished(await create());
    const db = database.open<AuthTables>();
    await migrateAuth(db);
    const rows = async () => {
      const { count } = await tablesOf<AuthTables>(db, authNaming(db, {}, findDialect(db).name))
        .selectFrom('login_failures')
        .select((row) => row.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    return { database, db, rows };
  }

  test.skipIf(skipped)('removes rows of other requests in the asynchronous context of none', async () => {
    const request = new AsyncLocalStorage<string>();
    const database = untilFinished(await create());
    const seen: unknown[] = [];
    const db = database.open<AuthTables>({
      log: ({ query }) => void (/^delete/.test(query.sql) && seen.push(request.getStore())),
    });
    await migrateAuth(db);
    // The privileges were tried.
    seen.length = 0;
    const clock = fakeDate();
    const store = kyselyLoginFailures(db);
    await store.add([{ key: 'login:old', failures: 1, underWay: 0 }], 301);
    clock.advance(400);
    // While the purge behind the first call goes on, none begins behind another one.
    const countAndLook = async () => {
      await request.run('ada', () => store.add([{ key: 'login:new', failures: 1, underWay: 0 }], 301));
      return seen;
    };
    await expect.poll(countAndLook).toEqual([undefined]);
  });

  test.skipIf(skipped)('keeps no row for what was given back', async () => {
    const { db, rows } = await open();
    const store = kyselyLoginFailures(db);
    const changes = (underWay: number) =>
      Array.from({ length: BATCH }, (_, i) => ({ key: `login:${i}`, failures: 0, underWay }));
    await store.add(changes(1), 1_200);
    expect(await rows()).toBe(BATCH);
    await store.add(changes(-1), 1_200);
    expect(await rows()).toBe(0);
    await store.add([{ key: 'login:0', failures: 2, underWay: 0 }], 1_200);
    await store.forget('login:0');
    await store.add([{ key: 'login:read', failures: 0, underWay: 0 }], 1_200);
    expect(await rows()).toBe(0);
  });

  test.skipIf(skipped)('stays as small as two windows while new keys flood it', async () => {
    const { db, rows } = await open();
    const clock = fakeDate();
    const store = kyselyLoginFailures(db);
    let most = 0;
    for (let second = 0; second < 60; second++) {
      const changes = Array.from({ length: BATCH }, (_, i) => ({
        key: `login:${second}-${i}`,
        failures: 1,
        underWay: 0,
      }));
      await store.add(changes, 10);
      clock.advance(1);
      most = Math.max(most, await rows());
      // A purge follows a count, which does not wait for it. While one is under way, there is none.
      await vi.waitFor(async () => {
        await store.add([{ key: 'login:again', failures: 1, underWay: 0 }], 10);
        expect(await rows()).toBeLessThanOrEqual(20 * BATCH);
      }, 60_000);
    }
    expect(most).toBeGreaterThanOrEqual(10 * BATCH);
    clock.advance(10);
    await vi.waitFor(async () => {
      await store.add([{ key: 'login:last', failures: 1, underWay: 0 }], 10);
      clock.advance(1);
      expect(await rows()).toBe(1);
    }, 60_000);
  });

  test.skipIf(skipped)('purges what a flood has left as fast as calls come', async () => {
    const { db, rows } = await open();
    const clock = fakeDate();
    const store = kyselyLoginFailures(db);
    await tablesOf<AuthTables>(db, authNaming(db, {}, findDialect(db).name))
      .insertInto('login_failures')
      .values(
        Array.from({ length: 3_500 }, (_, i) => ({
          id: `login:${i}`,
          failures: 1,
          under_way: 0,
          expires_at: Math.floor(clock() / 1_000) - 1,
        })),
      )
      .execute();
    await vi.waitFor(async () => {
      await store.add([{ key: 'login:last', failures: 1, underWay: 0 }], 10);
      expect(await rows()).toBe(1);
    }, 60_000);
  });

  test.skipIf(skipped)('lets many connections begin one new key at once', async () => {
    const { database } = await open();
    const stores = Array.from({ length: 4 }, () => kyselyLoginFailures(database.open()));
    for (let round = 0; round < 150; round++) {
      const changes = [{ key: `login:${round}`, failures: 1, underWay: 0 }];
      const counts = await Promise.all([...stores, ...stores].map((store) => store.add(changes, 1_200)));
      expect(Math.max(...counts.map(([count]) => count?.failures ?? 0))).toBe(8);
    }
  });

  test.skipIf(skipped)('counts while a purge fails', async () => {
    const { db, rows } = await open();
    const clock = fakeDate();
    const store = kyselyLoginFailures(db);
    await refuseDeletes(db);
    const add = (key: string) => store.add([{ key, failures: 1, underWay: 0 }], 10);
    await add('login:old');
    clock.advance(20);
    for (let i = 1; i <= 3; i++) {
      expect(await add('login:new')).toEqual([{ failures: i, underWay: 0 }]);
      clock.advance(1);
    }
    expect(await rows()).toBe(2);
  });
});

test('refuses an option that it does not have', async () => {
  const database = await databaseServers[0]?.create();
  if (database === undefined) throw new Error('SQLite is always there');
  untilFinished(database);
  expect(() => kyselyLoginFailures(database.open(), { table: 'x' } as object)).toThrow(
    /unknown option "table"/,
  );
  expectTypeOf(kyselyLoginFailures).returns.toEqualTypeOf<LoginFailureStore>();
});
