import type { Kysely } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { databaseServers } from '../database-servers.ts';

const SHARE = 2;
const HEALTHY = 3;

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)(
  'claims past the backlog of a saturated webhook on $name',
  ({ clock, skipped, create }) => {
    const it = test.skipIf(skipped);
    const onServer = test.skipIf(skipped || clock === 'caller');

    async function open() {
      const database = await create();
      databases.push(database);
      let statements = 0;
      const db = database.open<WebhookTables>({ log: () => statements++ });
      await migrateWebhooks(db);
      const storage = kyselyStorage(db) as WebhookStorage;
      const createdAt = new Date().toISOString();
      const createWebhook = (pattern: string) =>
        storage.createWebhook({
          url: 'https://a.example/',
          secret: 's',
          description: '',
          events: [pattern],
          isActive: true,
          createdBy: 0,
          createdByUid: null,
          createdAt,
        });
      const dispatch = (pattern: string, count: number) =>
        storage.recordDispatches(
          Array.from({ length: count }, () => ({
            event: 'order.paid',
            payload: '{}',
            createdAt,
            target: { patterns: [pattern] },
          })),
        );
      const { id: hangs } = await createWebhook('hangs.*');
      let tokens = 0;
      const claim = async (limit = 50, heldByHanging = SHARE, others: readonly [number, number][] = []) => {
        statements = 0;
        const claimed = await storage.claimDueDeliveries({
          now: Date.now(),
          limit,
          leaseMs: 60_000,
          maxAttempts: 4,
          claimToken: `token ${++tokens}`,
          maxPerWebhook: SHARE,
          inFlight: new Map([[hangs, heldByHanging], ...others]),
        });
        return { claimed, statements };
      };
      return {
        other: database.open<WebhookTables>(),
        storage,
        createWebhook,
        dispatch,
        claim,
        hangs,
      };
    }

    it('serve every webhook within as many claims as it takes to serve each once', async () => {
      const { claim, createWebhook, dispatch } = await open();
      await dispatch('hangs.*', 300);
      const waiting = new Set<number>();
      for (let index = 0; index < 45; index++) waiting.add((await createWebhook('order.*')).id);
      await dispatch('order.*', 3);
      for (let time = 1; time <= 5; time++) {
        const { claimed } = await claim(10);
        expect(claimed).toHaveLength(time < 5 ? 10 : 5 + 5);
        for (const { webhook } of claimed) waiting.delete(webhook.id);
      }
      expect(waiting).toEqual(new Set());
    });

    it('take more of few webhooks once each has been served', async () => {
      const { claim, createWebhook, dispatch } = await open();
      await dispatch('hangs.*', 300);
      const { id: many } = await createWebhook('a.*');
      const { id: one } = await createWebhook('b.*');
      await dispatch('a.*', 60);
      await dispatch('b.*', 1);
      const { claimed } = await claim(50);
      expect(claimed.map(({ webhook }) => webhook.id).sort()).toEqual([many, many, one]);
    });

    it('take nothing twice', async () => {
      const { claim, createWebhook, dispatch } = await open();
      await dispatch('hangs.*', 300);
      for (let index = 0; index < 12; index++) await createWebhook('order.*');
      await dispatch('order.*', 2);
      const ids: number[] = [];
      for (let time = 0; time < 6; time++) {
        ids.push(...(await claim(4)).claimed.map(({ id }) => id));
      }
      expect(new Set(ids).size).toBe(24);
    });

    it('serve suspects in their order, however many of them have something due', async () => {
      const { createWebhook, dispatch, storage } = await open();
      const suspects: number[] = [];
      for (let index = 0; index < 700; index++) suspects.push((await createWebhook('order.*')).id);
      await dispatch('order.*', 1);
      const inOrder = suspects.toReversed();
      const served: number[] = [];
      for (let time = 0; time < 2; time++) {
        const claimed = await storage.claimDueDeliveries({
          now: Date.now(),
          limit: 50,
          leaseMs: 60_000,
          maxAttempts: 4,
          claimToken: `suspects ${time}`,
          maxPerWebhook: SHARE,
          inFlight: new Map(),
          suspects: new Set(inOrder),
          suspectSlots: 25,
        });
        expect(claimed).toHaveLength(25);
        served.push(...claimed.map(({ webhook }) => webhook.id));
      }
      // The first ones have a delivery in flight after the first claim, of which this runner says
      // nothing; nothing more of theirs is due.
      expect(new Set(served)).toEqual(new Set(inOrder.slice(0, 50)));
    });

    it('serve suspects that have nothing in flight first', async () => {
      const { createWebhook, dispatch, storage } = await open();
      const { id: busy } = await createWebhook('order.*');
      const { id: idle } = await createWebhook('order.*');
      await dispatch('order.*', 3);
      const claimed = await storage.claimDueDeliveries({
        now: Date.now(),
        limit: 2,
        leaseMs: 60_000,
        maxAttempts: 4,
        claimToken: 'suspects',
        maxPerWebhook: SHARE,
        inFlight: new Map([[busy, 1]]),
        suspects: new Set([busy, idle]),
        suspectSlots: 1,
      });
      expect(claimed.map(({ webhook }) => webhook.id)).toEqual([idle]);
    });

    it('find what is due past thousands of webhooks that wait, in one claim', async () => {
      const { claim, createWebhook, dispatch, storage } = await open();
      for (let batch = 0; batch < 95; batch++) {
        await Promise.all(Array.from({ length: 20 }, () => createWebhook('waits.*')));
      }
      await dispatch('waits.*', 1);
      for (let time = 0; time < 2; time++) {
        const waiting = await storage.claimDueDeliveries({
          now: Date.now(),
          limit: 1_000,
          leaseMs: 60_000,
          maxAttempts: 4,
          claimToken: `first ${time}`,
          maxPerWebhook: 1,
          inFlight: new Map(),
        });
        await storage.recordAttempts(
          waiting.map(({ id, claimToken }) => ({
            id,
            claimToken,
            status: 'pending',
            statusCode: 500,
            responseBody: '',
            error: 'http_500',
            attemptLog: [],
            activation: 0,
            now: Date.now(),
            retryInMs: 86_400_000,
          })),
        );
      }
      await dispatch('hangs.*', 100);
      expect((await claim(50)).claimed).toEqual([]);
      const { id } = await createWebhook('late.*');
      await dispatch('late.*', 1);
      expect((await claim(50)).claimed.map(({ webhook }) => webhook.id)).toEqual([id]);
    });

    it('give each of the others as much, however few are claimed at once', async () => {
      const { claim, createWebhook, dispatch } = await open();
      await dispatch('hangs.*', 300);
      const given = new Map<number, number>();
      for (const busy of ['a.*', 'b.*', 'c.*', 'd.*', 'e.*']) {
        given.set((await createWebhook(busy)).id, 0);
        await dispatch(busy, 30);
      }
      for (let time = 0; time < 20; time++) {
        for (const { webhook } of (await claim(3)).claimed)
          given.set(webhook.id, (given.get(webhook.id) ?? 0) + 1);
        const counts = [...given.values()];
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }
      expect([...given.values()]).toEqual([12, 12, 12, 12, 12]);
    });

    it.each([
      [1, 300],
      [2, 300],
      [1, 5],
      [2, 0],
    ])(
      'let no webhook wait for the backlog of another one, %i at a time past %i rows',
      async (limit, backlog) => {
        const { claim, createWebhook, dispatch } = await open();
        await dispatch('hangs.*', backlog);
        await createWebhook('busy.*');
        await dispatch('busy.*', 60);
        const { id: young } = await createWebhook('young.*');
        await dispatch('young.*', 60);
        let [waited, longest, served] = [0, 0, 0];
        for (let time = 0; time < 40; time++) {
          const { claimed } = await claim(limit);
          expect(claimed).toHaveLength(limit);
          const own = claimed.filter(({ webhook }) => webhook.id === young).length;
          waited = own > 0 ? 0 : waited + 1;
          longest = Math.max(longest, waited);
          served += own;
        }
        expect(longest).toBeLessThanOrEqual(2);
        expect(served).toBeGreaterThanOrEqual(0.4 * 40 * limit);
      },
    );

    onServer('find more of webhooks whose first deliveries other processes are claiming', async () => {
      const { claim, createWebhook, dispatch, hangs, other } = await open();
      await dispatch('hangs.*', 300);
      for (let index = 0; index < HEALTHY; index++) await createWebhook('order.*');
      await dispatch('order.*', 10);
      const { claimed } = await heldBy(other, async (transaction) => {
        const firsts = await transaction
          .selectFrom('webhook_deliveries')
          .select(({ fn }) => fn.min('id').as('id'))
          .where('webhook_id', '<>', hangs)
          .groupBy('webhook_id')
          .execute();
        const ids = firsts.map(({ id }) => Number(id));
        await transaction
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('id', 'in', ids)
          .forUpdate()
          .execute();
        return claim(2);
      });
      expect(claimed).toHaveLength(2);
    });

    onServer('fill every slot past a block of webhooks that others are claiming', async () => {
      const { claim, createWebhook, dispatch, hangs, other } = await open();
      for (let index = 0; index < 120; index++) await createWebhook('order.*');
      await dispatch('order.*', 1);
      const claimed = await heldBy(other, async (transaction) => {
        await transaction
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '>', hangs + 17)
          .where('webhook_id', '<=', hangs + 67)
          .forUpdate()
          .execute();
        const counts: number[] = [];
        for (let time = 0; time < 4; time++) counts.push((await claim(20)).claimed.length);
        return counts;
      });
      // 120 without the 50 that the other one has, and perhaps one beside its range, which InnoDB
      // locks as well.
      expect(claimed.slice(0, 3)).toEqual([20, 20, 20]);
      expect(claimed[3]).toBeGreaterThanOrEqual(9);
    });

    onServer('claim nothing where others have locked all of it', async () => {
      const { claim, createWebhook, dispatch, other } = await open();
      await createWebhook('order.*');
      await dispatch('order.*', 300);
      const whileHeld = await heldBy(other, async (transaction) => {
        await transaction.selectFrom('webhook_deliveries').selectAll().forUpdate().execute();
        return claim();
      });
      expect(whileHeld).toMatchObject({ claimed: [] });
      expect((await claim()).claimed).toHaveLength(SHARE);
    });

    onServer('take few statements where other processes are claiming everything else', async () => {
      const { claim, createWebhook, dispatch, other } = await open();
      for (let index = 0; index < 200; index++) await createWebhook('order.*');
      await dispatch('order.*', 3);
      const { claimed, statements } = await heldBy(other, async (transaction) => {
        const first = transaction.selectFrom('webhook_deliveries').selectAll().orderBy('id').limit(400);
        await first.forUpdate().execute();
        return claim(1);
      });
      expect(claimed).toHaveLength(1);
      expect(statements).toBeLessThan(100);
    });
  },
);

/** Locks rows one by one: in stricter isolation MySQL locks whatever it reads on the way. */
function heldBy<Result>(
  db: Kysely<WebhookTables>,
  work: (transaction: Kysely<WebhookTables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('read committed').execute(work);
}
