import { type Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { changing } from '../../src/storage/changed-state.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { databaseServers } from '../kysely/database-servers.ts';

const servers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(servers)('a webhook whose row somebody has locked, on $name', ({ skipped, create }) => {
  async function open() {
    const database = await create();
    onTestFinished(() => database.remove());
    let failedStatements = 0;
    const db = database.open({
      log: ({ level }) => {
        if (level === 'error') failedStatements += 1;
      },
    });
    await migrateWebhooks(db);
    const engine = createWebhooks({ storage: kyselyStorage(db) });
    onTestFinished(() => engine.close());
    const locked = await engine.create({ url: 'https://locked.example/', events: ['locked.*'] });
    await engine.create({ url: 'https://free.example/', events: ['free.*'] });
    const before = failedStatements;
    const failures = () => failedStatements - before;
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
    onTestFinished(rollback);
    await lock(transaction);
    await work();
    await rollback();
  }

  test.skipIf(skipped).each([
    ['without keys', () => ({})],
    ['with keys', (n: number) => ({ idempotencyKey: `key-${n}` })],
  ])(
    'holds up no dispatch, not even its own, and costs no failed statement (%s)',
    async (_name, optionsOf) => {
      const { engine, others, lockedId, failures } = await open();
      await whileOpen(
        others,
        (host) => sql`select id from webhooks where id = ${lockedId} for update`.execute(host),
        async () => {
          for (let n = 0; n < 5; n++) {
            await engine.dispatch('locked.event', {}, optionsOf(n));
            await engine.dispatch('free.event', {}, optionsOf(n));
          }
          const together = Array.from({ length: 60 }, (_, n) =>
            engine.dispatch(n % 10 === 0 ? 'locked.event' : 'free.event', {}, optionsOf(100 + n)),
          );
          await Promise.all(together);
          await engine.test(lockedId);
        },
      );
      expect(failures()).toBe(0);
      expect((await engine.get(lockedId)).stats.total).toBe(5 + 6 + 1);
    },
  );

  test.skipIf(skipped)("is not waited for by a dispatch in a host's transaction", async () => {
    const { engine, db, others, lockedId } = await open();
    await whileOpen(
      others,
      (host) => sql`delete from webhooks where id = ${lockedId}`.execute(host),
      () => db.transaction().execute((transaction) => inHost(engine, transaction)),
    );
    expect((await engine.get(lockedId)).stats.total).toBe(1);
  });

  test.skipIf(skipped)(
    "is not held by a host's dispatch to it: an administrator changes it meanwhile",
    async () => {
      const { engine, db, others, lockedId } = await open();
      await whileOpen(
        db,
        (transaction) => inHost(engine, transaction),
        () => kyselyStorage(others).changeWebhook(lockedId, changing({ description: 'd', updatedAt: '' })),
      );
      expect((await engine.get(lockedId)).description).toBe('d');
    },
  );
});

function inHost(engine: Webhooks<never>, transaction: Kysely<unknown>) {
  return engine.dispatch('locked.event', {}, { transaction: transaction as never });
}
