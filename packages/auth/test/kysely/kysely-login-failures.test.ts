import type { Kysely } from 'kysely';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyLoginFailures, migrateAuth } from '../../src/kysely/index.ts';
import { tablesOf } from '../../src/kysely/tables.ts';
import type { LoginFailureStore } from '../../src/sessions/login-throttle/login-failure-store.ts';
import { fakeClock } from '../fake-clock.ts';
import { sessionHost } from '../sessions/session-host.ts';
import { databaseServers } from './database-servers.ts';

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

const BATCH = 16;

/** A database that refuses to remove rows: its right to do so has been taken away. */
function failingDeletes<DB>(db: Kysely<DB>): Kysely<DB> {
  return db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'DeleteQueryNode') throw new Error('permission denied for table login_failures');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

describe.each(databaseServers)('on $name', ({ skipped, create }) => {
  async function open() {
    const database = await create();
    databases.push(database);
    const db = database.open();
    await migrateAuth(db);
    const rows = async () => {
      const { count } = await tablesOf(db)
        .selectFrom('login_failures')
        .select((row) => row.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    return { database, db, rows };
  }

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
    const clock = fakeClock();
    const store = kyselyLoginFailures(db, { clock });
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
    }
    // A purge follows its count, and is not waited for: it may be a second behind.
    expect(most).toBeGreaterThanOrEqual(10 * BATCH);
    expect(most).toBeLessThanOrEqual(20 * BATCH);
    clock.advance(10);
    await vi.waitFor(async () => {
      await store.add([{ key: 'login:last', failures: 1, underWay: 0 }], 10);
      clock.advance(1);
      expect(await rows()).toBe(1);
    });
  });

  test.skipIf(skipped)('purges what a flood has left as fast as calls come', async () => {
    const { db, rows } = await open();
    const clock = fakeClock();
    const store = kyselyLoginFailures(db, { clock });
    await tablesOf(db)
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
    });
  });

  test.skipIf(skipped)('counts while a purge fails', async () => {
    const { db } = await open();
    const clock = fakeClock();
    const store = kyselyLoginFailures(failingDeletes(db), { clock });
    const add = (key: string) => store.add([{ key, failures: 1, underWay: 0 }], 10);
    await add('login:old');
    clock.advance(20);
    for (let i = 1; i <= 3; i++) {
      expect(await add('login:new')).toEqual([{ failures: i, underWay: 0 }]);
      clock.advance(1);
    }
  });

  test.skipIf(skipped)('lets two processes together verify no more guesses at once than one', async () => {
    const { database } = await open();
    let guesses = 0;
    const hosts = [0, 1].map(() =>
      sessionHost({
        loginThrottle: { store: kyselyLoginFailures(database.open()), maxFailuresPerAccount: 4 },
        verifyCredentials: async () => {
          guesses += 1;
          return undefined;
        },
      }),
    );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) =>
        hosts[i % 2]?.sessions.login({ login: '7', password: `guess ${i}` }, { ip: `192.0.2.${i}` }),
      ),
    );
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(hosts.flatMap(({ logged }) => logged)).toEqual([]);
    expect(guesses).toBe(4);
  });
});

test('refuses an option that it does not have', async () => {
  const database = await databaseServers[0]?.create();
  if (database === undefined) throw new Error('SQLite is always there');
  databases.push(database);
  expect(() => kyselyLoginFailures(database.open(), { table: 'x' } as object)).toThrow(/no option "table"/);
  expectTypeOf(kyselyLoginFailures).returns.toEqualTypeOf<LoginFailureStore>();
});
