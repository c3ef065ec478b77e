import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { databaseServers } from '../kysely/database-servers.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const servers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(servers)('a webhook whose row somebody has locked, on $name', ({ name, skipped, create }) => {
  async function open() {
    const database = await create();
    closing.push(() => database.remove());
    let failedStatements = 0;
    const db = database.open({
      log: ({ level }) => {
        if (level === 'error') failedStatements += 1;
      },
    });
    await migrateWebhooks(db);
    const engine = createWebhooks({ storage: kyselyStorage(db) });
    closing.push(() => engine.close());
    const locked = await engine.create({ url: 'https://locked.example/', events: ['locked.*'] });
    await engine.create({ url: 'https://free.example/', events: ['free.*'] });
    const failures = () => failedStatements;
    return { engine, db, lockedId: locked.id, others: database.open(), failures };
  }

  /** Runs `work` while a transaction of the host's is open that `lock` has begun. */
  async function whileOpen(
    db: Kysely<unknown>,
    lock: (transaction: Kysely<unknown>) => Promise<unknown>,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const transaction = await db.startTransaction().execute();
    const rollback = () => (transaction.isRolledBack ? Promise.resolve() : transaction.rollback().execute());
    closing.push(rollback);
    await lock(transaction);
    await work();
    await rollback();
  }

  async function dispatchBoth(engine: Awaited<ReturnType<typeof open>>['engine'], key?: string) {
    const toLocked: Promise<unknown>[] = [];
    const dispatch = (event: string, n: number) =>
      engine.dispatch(event, { n }, key === undefined ? {} : { idempotencyKey: `${key}-${n}` });
    // One by one and together: by itself, and in groups.
    for (let n = 0; n < 20; n++) {
      toLocked.push(dispatch('locked.event', n));
      await dispatch('free.event', n);
    }
    const together = Array.from({ length: 60 }, (_, n) => {
      if (n % 10 === 0) toLocked.push(dispatch('locked.event', 100 + n));
      return dispatch('free.event', 100 + n);
    });
    await Promise.all(together);
    return toLocked;
  }

  test.skipIf(skipped).each([
    ['without keys', undefined],
    ['with keys', 'key'],
  ])(
    'holds up no dispatch of another event (%s)',
    async (_name, key) => {
      const { engine, others, lockedId } = await open();
      let toLocked: Promise<unknown>[] = [];
      await whileOpen(
        others,
        (host) => sql`select id from webhooks where id = ${lockedId} for update`.execute(host),
        async () => {
          toLocked = await dispatchBoth(engine, key);
        },
      );
      // Those that were not given up yet are written now.
      await engine.dispatch('locked.event', {});
      const results = await Promise.allSettled(toLocked);
      const written = results.filter(({ status }) => status === 'fulfilled').length;
      expect((await engine.get(lockedId)).stats.total).toBe(written + 1);
    },
    45_000,
  );

  test.skipIf(skipped).each([
    ['without keys', () => ({})],
    ['with keys', (n: number) => ({ idempotencyKey: `key-${n}` })],
  ])(
    'costs others a few failed statements, however many dispatches to it come in, and gets them all once it is free (%s)',
    async (_name, optionsOf) => {
      const { engine, others, lockedId, failures } = await open();
      const toLocked: Promise<unknown>[] = [];
      await whileOpen(
        others,
        (host) => sql`select id from webhooks where id = ${lockedId} for update`.execute(host),
        async () => {
          for (let round = 0; round < 5; round++) {
            const toFree: Promise<unknown>[] = [];
            for (let n = 100 * round; n < 100 * (round + 1); n++) {
              toLocked.push(engine.dispatch('locked.event', {}, optionsOf(n)));
              toFree.push(engine.dispatch('free.event', {}, optionsOf(n)));
            }
            await Promise.all(toFree);
          }
        },
      );
      // One by one they would be more than a thousand; about twenty a second are tries of what is
      // locked.
      expect(failures()).toBeLessThan(300);
      expect(await Promise.all(toLocked)).toEqual(
        Array.from({ length: 500 }, () => ({ deliveries: 1, repeated: false })),
      );
      expect((await engine.get(lockedId)).stats.total).toBe(500);
    },
    45_000,
  );

  test.skipIf(skipped)('holds up no test of another webhook', async () => {
    const { engine, others, lockedId } = await open();
    const { id } = await engine.create({ url: 'https://other.example/', events: ['other.*'] });
    let toLocked: Promise<unknown> = Promise.resolve();
    await whileOpen(
      others,
      (host) => sql`select id from webhooks where id = ${lockedId} for update`.execute(host),
      async () => {
        toLocked = engine.test(lockedId);
        for (let n = 0; n < 3; n++) await engine.test(id);
      },
    );
    await toLocked;
  });

  test.skipIf(skipped)(
    "holds up no dispatch of an event for keys that a host's dispatches of it hold",
    async () => {
      const { engine, others } = await open();
      const host = createWebhooks({ storage: kyselyStorage(others) });
      closing.push(() => host.close());
      await engine.create({ url: 'https://both.example/', events: ['free.*'] });
      const keyed = (idempotencyKey: string, transaction?: unknown) =>
        (transaction ? host : engine).dispatch('free.event', {}, { idempotencyKey, transaction } as never);
      let held: Promise<unknown>[] = [];
      await whileOpen(
        others,
        async (transaction) => {
          for (let n = 0; n < 8; n++) await keyed(`held-${n}`, transaction);
        },
        async () => {
          held = Array.from({ length: 8 }, (_, n) => keyed(`held-${n}`));
          for (let n = 0; n < 20; n++) expect(await keyed(`free-${n}`)).toMatchObject({ deliveries: 2 });
        },
      );
      expect(await Promise.all(held)).toEqual(
        Array.from({ length: 8 }, () => ({ deliveries: 2, repeated: false })),
      );
    },
  );

  test.skipIf(skipped || name === 'PostgreSQL')(
    "holds up no dispatch of another event while an administrator's change waits for a host's dispatch",
    async () => {
      const { engine, db, others, lockedId } = await open();
      const host = createWebhooks({ storage: kyselyStorage(db) });
      closing.push(() => host.close());
      let changed: Promise<unknown> = Promise.resolve();
      await whileOpen(
        db,
        async (transaction) => {
          await host.dispatch('locked.event', {}, { transaction: transaction as never });
          changed = kyselyStorage(others).updateWebhook(lockedId, { description: 'd', updatedAt: '' });
          await expect
            .poll(async () => {
              const { rows } = await sql<{ Value: string }>`
                show global status like 'Innodb_row_lock_current_waits'`.execute(others);
              return Number(rows[0]?.Value);
            })
            .toBeGreaterThan(0);
        },
        () => dispatchBoth(engine),
      );
      await changed;
    },
    45_000,
  );
});
