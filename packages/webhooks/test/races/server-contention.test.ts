import { type Kysely, type LogEvent, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import { findDialect } from '../../src/kysely/find-dialect.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { countDeliveries } from '../count-deliveries.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { DISPATCH, NEW_WEBHOOK } from '../kysely/example-rows.ts';

/**
 * How a connection makes its transactions stricter than the storage wants them, and waits for locks
 * a second at most.
 */
const STRICT: Readonly<Record<string, string>> = {
  PostgreSQL: 'set default_transaction_isolation = serializable; set lock_timeout = 1000',
  'MySQL or MariaDB': 'set session transaction isolation level serializable',
};

const servers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(servers)('on $name', ({ name, skipped, create }) => {
  async function open(): Promise<{ db: Kysely<unknown>; other: Kysely<unknown> }> {
    const database = untilFinished(await create());
    const db = database.open({ onConnect: STRICT[name] ?? '' });
    await migrateWebhooks(db);
    return { db, other: database.open() };
  }

  test.skipIf(skipped)("works in its own isolation whatever the host's default is", async () => {
    const { db } = await open();
    const storage = kyselyStorage(db);
    const { id } = await storage.createWebhook(NEW_WEBHOOK);
    await Promise.all(Array.from({ length: 20 }, () => storage.recordDispatches([DISPATCH, DISPATCH])));
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        storage.claimDueDeliveries({
          now: Date.now(),
          limit: 5,
          leaseMs: 60_000,
          maxAttempts: 4,
          claimToken: `t${i}`,
          isFromStart: true,
          choose: chooseEvenly(5, 100),
        }),
      ),
    );
    expect(new Set(claims.flat().map((claim) => claim.id)).size).toBe(40);
    expect(await countDeliveries(storage, id)).toMatchObject({ total: 40, pending: 40 });
  });

  test.skipIf(skipped)(
    'lets two processes bring the same keys in opposite order without a deadlock',
    async () => {
      const database = untilFinished(await create());
      const deadlocks: unknown[] = [];
      const log = (event: LogEvent) => {
        const { isContention, isLocked } = findDialect(db);
        if (event.level !== 'error' || isLocked(event.error)) return;
        if (isContention(event.error)) deadlocks.push(event.error);
      };
      const db: Kysely<unknown> = database.open({ log });
      await migrateWebhooks(db);
      const storages = [kyselyStorage(db), kyselyStorage(database.open({ log }))];
      for (let round = 0; round < 10; round++) {
        const group = Array.from({ length: 32 }, (_, i) => ({
          ...DISPATCH,
          idempotencyKey: `${round}-${i}`,
        }));
        const receipts = await Promise.all(
          storages.map((storage, i) => storage.recordDispatches(i === 0 ? group : group.toReversed())),
        );
        expect(receipts.flat().filter(({ outcome }) => outcome === 'written')).toHaveLength(32);
      }
      expect(deadlocks).toEqual([]);
    },
  );

  test.skipIf(skipped)(
    'writes the keys of a group in as many statements as those of one dispatch',
    async () => {
      const database = untilFinished(await create());
      let statements = 0;
      const db: Kysely<unknown> = database.open({ log: ({ level }) => level === 'query' && statements++ });
      await migrateWebhooks(db);
      const storage = kyselyStorage(db);
      await storage.assertReady?.();
      await storage.createWebhook(NEW_WEBHOOK);
      const counted = async (dispatches: number) => {
        const before = statements;
        const group = Array.from({ length: dispatches }, (_, i) => ({
          ...DISPATCH,
          idempotencyKey: `${dispatches}-${i}`,
        }));
        await storage.recordDispatches(group);
        return statements - before;
      };
      const single = await counted(1);
      expect(single).toBeGreaterThan(0);
      expect(await counted(300)).toBe(single);
    },
  );

  test.skipIf(skipped)('is told a deadlock of its own database from other errors', async () => {
    const { other } = await open();
    const dialect = findDialect(other);
    await sql`create table pair (id integer primary key, n integer)`.execute(other);
    await sql`insert into pair values (1, 0), (2, 0)`.execute(other);
    const inOrder = (first: number, second: number, both: () => Promise<unknown>) =>
      other.transaction().execute(async (transaction) => {
        await sql`update pair set n = n + 1 where id = ${first}`.execute(transaction);
        await both();
        await sql`update pair set n = n + 1 where id = ${second}`.execute(transaction);
      });
    let arrived = 0;
    const { promise, resolve } = gate();
    const both = () => {
      if (++arrived === 2) resolve();
      return promise;
    };
    const outcomes = await Promise.allSettled([inOrder(1, 2, both), inOrder(2, 1, both)]);
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(errors).toHaveLength(1);
    expect(errors.map((error) => dialect.isContention(error))).toEqual([true]);
    const refused = await sql`insert into pair values (1, 0)`.execute(other).catch((error: unknown) => error);
    expect(dialect.isContention(refused)).toBe(false);
  });
});

function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, resolve: () => open() };
}
