import type { Kysely } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { databaseServers } from './database-servers.ts';
import type { TestDatabase } from './test-database.ts';

const SHARE = 2;
const HEALTHY = 3;
const CLAIMS = 40;

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe.each(databaseServers)('a line crowded by one webhook on $name', ({ clock, skipped, create }) => {
  const it = test.skipIf(skipped);
  const onServer = test.skipIf(skipped || clock === 'caller');

  async function open() {
    const database = await create();
    databases.push(database);
    const statements: string[] = [];
    const db = database.open<WebhookTables>({ log: ({ query }) => void statements.push(query.sql) });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db) as WebhookStorage;
    const createdAt = new Date().toISOString();
    const createWebhook = (pattern: string) =>
      storage.createWebhook({
        ...{ url: 'https://a.example/', secret: 's', description: '', events: [pattern], isActive: true },
        ...{ createdBy: 0, createdAt },
      });
    const dispatch = (pattern: string, count: number) =>
      storage.recordDispatches(
        Array.from({ length: count }, () => ({
          ...{ event: 'order.paid', payload: '{}', createdAt, target: { patterns: [pattern] } },
        })),
      );
    const { id: hangs } = await createWebhook('hangs.*');
    let tokens = 0;
    const claim = async (limit = 50, heldByCrowd = SHARE, others: readonly [number, number][] = []) => {
      let isComplete = true;
      statements.length = 0;
      const claimed = await storage.claimDueDeliveries({
        ...{ now: Date.now(), limit, leaseMs: 60_000, maxAttempts: 4, claimToken: `token ${++tokens}` },
        ...{ maxPerWebhook: SHARE, inFlight: new Map([[hangs, heldByCrowd], ...others]) },
        onIncomplete: () => {
          isComplete = false;
        },
      });
      return { claimed, isComplete, statements: statements.length };
    };
    return {
      other: database.open<WebhookTables>(),
      storage,
      statements,
      createWebhook,
      dispatch,
      claim,
      hangs,
    };
  }

  it('is read once in sixteen claims, and nobody behind it waits for that', async () => {
    const { claim, createWebhook, dispatch, hangs, statements } = await open();
    await dispatch('hangs.*', 300);
    for (let index = 0; index < HEALTHY; index++) await createWebhook('order.*');
    let windows = 0;
    for (let time = 1; time <= CLAIMS; time++) {
      await dispatch('order.*', 1);
      const { claimed } = await claim();
      windows += statements.filter((text) => text.includes('over ()')).length;
      expect(claimed.map(({ webhook }) => webhook.id)).not.toContain(hangs);
      expect(claimed).toHaveLength(HEALTHY);
    }
    expect(windows).toBe(Math.ceil(CLAIMS / 16));
  });

  it('takes nothing twice of what one look found, and the next one finds again', async () => {
    const { claim, createWebhook, dispatch, statements } = await open();
    await dispatch('hangs.*', 300);
    const healthy: number[] = [];
    for (let index = 0; index < 5; index++) healthy.push((await createWebhook('order.*')).id);
    await dispatch('order.*', 4);
    const claimedOf = async (limit: number) => {
      const { claimed } = await claim(limit);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(limit);
      return claimed.map(({ webhook }) => webhook.id);
    };
    const first = await claimedOf(3);
    const second = await claimedOf(4);
    expect(new Set([...first, ...second])).toEqual(new Set(healthy));
    // Two of the five were found before; a statement takes them and two others.
    expect(statements.filter((text) => text.includes('payload'))).toHaveLength(1);
  });

  it('gives each webhook behind it as much, however few are claimed at once', async () => {
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
    'lets nobody wait for the backlog of another one behind it, in claims of %i behind %i',
    async (limit, crowd) => {
      const { claim, createWebhook, dispatch } = await open();
      await dispatch('hangs.*', crowd);
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

  it('spares the next claim a look at the webhooks for which the last one had no place', async () => {
    const { claim, createWebhook, dispatch, statements } = await open();
    await dispatch('hangs.*', 600);
    for (let index = 0; index < 100; index++) await createWebhook('order.*');
    await dispatch('order.*', 1);
    // Looks at 64, and leaves 54 of them.
    expect((await claim(10)).claimed).toHaveLength(10);
    expect((await claim(60)).claimed).toHaveLength(60);
    expect(statements.filter((text) => text.includes('first_id'))).toHaveLength(1);
    expect(statements.filter((text) => text.includes('payload'))).toHaveLength(1);
  });

  describe.skipIf(skipped || clock !== 'caller')('where a writer is alone', () => {
    async function crowded(webhooks: number, each: number) {
      const opened = await open();
      await opened.dispatch('hangs.*', 300);
      for (let index = 0; index < webhooks; index++) await opened.createWebhook('order.*');
      await opened.dispatch('order.*', 1);
      // Some of the crowd stands behind its end, too.
      await opened.dispatch('hangs.*', 3);
      await opened.dispatch('order.*', each - 1);
      // Looks at all of them, and so learns where the crowd ends.
      expect((await opened.claim(10)).claimed).toHaveLength(10);
      return opened;
    }

    test('what stands behind the crowd is claimed in its order, in one statement, by fifteen claims', async () => {
      const { claim, statements } = await crowded(60, 20);
      let last = 0;
      for (let time = 0; time < 15; time++) {
        const { claimed } = await claim(10);
        expect(claimed.map(({ event }) => event)).toEqual(Array.from({ length: 10 }, () => 'order.paid'));
        expect(claimed.every(({ id }) => id > last)).toBe(true);
        last = claimed.at(-1)?.id ?? 0;
        expect(statements.filter((text) => text.startsWith('select') && !text.includes('url'))).toHaveLength(
          1,
        );
      }
      await claim(10);
      expect(statements.some((text) => text.includes('first_id'))).toBe(true);
    });

    test('whoever comes to stand behind it waits for four of each of the others at most', async () => {
      const { claim, createWebhook, dispatch } = await open();
      await dispatch('hangs.*', 300);
      await createWebhook('busy.*');
      await dispatch('busy.*', 60);
      await claim(1);
      const { id: young } = await createWebhook('young.*');
      const waits: number[] = [];
      for (let time = 0; time < 8; time++) {
        await dispatch('young.*', 1);
        const isServed = async () => (await claim(1)).claimed.some(({ webhook }) => webhook.id === young);
        let wait = 0;
        while (!(await isServed()) && wait < 30) wait += 1;
        waits.push(wait);
      }
      expect(Math.max(...waits)).toBeLessThanOrEqual(4);
    });

    test.each([3, 10])(
      'whoever comes to stand in front of its end is found by the sixteenth claim of %i',
      async (limit) => {
        const { claim, createWebhook, dispatch, other } = await crowded(60, 20);
        const { id: late } = await createWebhook('late.*');
        await dispatch('late.*', 1);
        const longAgo = '2000-01-01T00:00:00.000Z';
        await other
          .updateTable('webhook_deliveries')
          .set({ turn_at: longAgo, next_attempt_at: longAgo })
          .where('webhook_id', '=', late)
          .execute();
        const found: boolean[] = [];
        for (let time = 0; time < 16; time++) {
          const { claimed } = await claim(limit);
          found.push(claimed.some(({ webhook }) => webhook.id === late));
        }
        expect(found.indexOf(true)).toBe(15);
      },
    );

    test('first attempts do not wait behind retries, which stand later in line than now', async () => {
      const { claim, createWebhook, dispatch, other } = await open();
      await dispatch('hangs.*', 300);
      for (let index = 0; index < 20; index++) await createWebhook('order.*');
      await dispatch('order.*', 20);
      await other
        .updateTable('webhook_deliveries')
        .set({ turn_at: new Date(Date.now() + 30_000).toISOString() })
        .where('event', '=', 'order.paid')
        .where('id', '>', 300)
        .execute();
      await claim(10);
      const { id: first } = await createWebhook('first.*');
      await dispatch('first.*', 1);
      const found: boolean[] = [];
      for (let time = 0; time < 3; time++) {
        const { claimed } = await claim(10);
        found.push(claimed.some(({ webhook }) => webhook.id === first));
      }
      expect(found).toContain(true);
    });

    test('who has a share behind it is none of the crowd, which is relied on when they have room', async () => {
      const { claim, createWebhook, dispatch, statements } = await open();
      await dispatch('hangs.*', 300);
      for (let index = 0; index < 20; index++) await createWebhook('order.*');
      const { id: slow } = await createWebhook('slow.*');
      await dispatch('order.*', 3);
      await dispatch('slow.*', 5);
      await claim(10, SHARE, [[slow, SHARE]]);
      for (let time = 0; time < 3; time++) {
        expect((await claim(10, SHARE, [[slow, SHARE - 1]])).claimed).toHaveLength(10);
        expect(statements.filter((text) => text.includes('first_id'))).toEqual([]);
      }
    });

    test('where too little stands behind it, the next claims do not try again', async () => {
      const { claim, dispatch, statements } = await crowded(20, 1);
      const reads = () => statements.filter((text) => text.startsWith('select') && text.includes('payload'));
      expect((await claim(20)).claimed).toHaveLength(10);
      expect(reads()).toHaveLength(2);
      for (let time = 0; time < 3; time++) {
        await dispatch('order.*', 1);
        expect((await claim(30)).claimed).toHaveLength(20);
        expect(reads()).toHaveLength(1);
      }
    });

    test('the crowd is first again as soon as it has room', async () => {
      const { claim, hangs } = await crowded(20, 20);
      const { claimed } = await claim(10, SHARE - 1);
      const own = claimed.filter(({ webhook }) => webhook.id === hangs);
      expect(own.map(({ id }) => id)).toEqual([1]);
      expect(claimed).toHaveLength(10);
    });

    test('one of a crowd of two is found by a look as soon as it has room', async () => {
      const { claim, createWebhook, dispatch } = await open();
      const { id: hangsToo } = await createWebhook('hangs.*');
      await dispatch('hangs.*', 150);
      for (let index = 0; index < 20; index++) await createWebhook('order.*');
      await dispatch('order.*', 20);
      await claim(10, SHARE, [[hangsToo, SHARE]]);
      // The first of these takes what the look before them left, the second one looks.
      const { claimed: left } = await claim(10, SHARE, [[hangsToo, SHARE - 1]]);
      const { claimed: looked } = await claim(10, SHARE, [[hangsToo, SHARE - 1]]);
      expect([...left, ...looked].filter(({ webhook }) => webhook.id === hangsToo)).toHaveLength(1);
    });

    test('a look that began in the middle does not say where it ends', async () => {
      const { claim, createWebhook, dispatch } = await open();
      const { id: early } = await createWebhook('early.*');
      await dispatch('hangs.*', 600);
      await dispatch('early.*', 6);
      for (let index = 0; index < 99; index++) await createWebhook('order.*');
      await dispatch('order.*', 10);
      // Looks at the first 64 webhooks, then at the others.
      await claim(10);
      await claim(60);
      const found: boolean[] = [];
      for (let time = 0; time < 5; time++) {
        const { claimed } = await claim(10);
        found.push(claimed.some(({ webhook }) => webhook.id === early));
      }
      expect(found).toContain(true);
    });

    test('nobody behind it gets more than a share', async () => {
      const { claim, createWebhook, dispatch } = await crowded(20, 1);
      const { id: busy } = await createWebhook('busy.*');
      await dispatch('busy.*', 10);
      await dispatch('order.*', 1);
      const shares: number[] = [];
      for (let time = 0; time < 2; time++) {
        const { claimed } = await claim(10);
        expect(claimed).toHaveLength(10);
        shares.push(claimed.filter(({ webhook }) => webhook.id === busy).length);
      }
      expect(shares[0]).toBe(0);
      expect(shares[1]).toBeLessThanOrEqual(SHARE);
    });
  });

  it('is crowded only if it goes on: where all that is due is read, no webhook is looked at', async () => {
    const { claim, createWebhook, dispatch, statements, storage } = await open();
    for (let index = 0; index < 10; index++) await createWebhook('waits.*');
    await dispatch('waits.*', 1);
    const waiting = await storage.claimDueDeliveries({
      ...{ now: Date.now(), limit: 100, leaseMs: 60_000, maxAttempts: 4, claimToken: 'first' },
      ...{ maxPerWebhook: 1, inFlight: new Map() },
    });
    await storage.recordAttempts(
      waiting.map(({ id, claimToken }) => ({
        ...{ id, claimToken, status: 'pending', statusCode: 500, responseBody: '', error: 'http_500' },
        ...{ attemptLog: [], activation: 0, now: Date.now(), retryInMs: 86_400_000 },
      })),
    );
    for (const own of [0, 5]) {
      await dispatch('hangs.*', own);
      const { claimed, isComplete } = await claim();
      expect({ claimed, isComplete }).toEqual({ claimed: [], isComplete: true });
      expect(statements.filter((text) => text.includes('first_id'))).toEqual([]);
    }
  });

  onServer('is not all that is known of webhooks whose first deliveries others are claiming', async () => {
    const { claim, createWebhook, dispatch, hangs, other } = await open();
    await dispatch('hangs.*', 300);
    for (let index = 0; index < HEALTHY; index++) await createWebhook('order.*');
    await dispatch('order.*', 10);
    const { claimed, isComplete } = await heldBy(other, async (transaction) => {
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
    expect(claimed.length > 0 || !isComplete).toBe(true);
  });

  onServer('is passed in few statements where others are claiming all of it', async () => {
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
});

/** Locks rows one by one: in stricter isolation MySQL locks whatever it reads on the way. */
function heldBy<Result>(
  db: Kysely<WebhookTables>,
  work: (transaction: Kysely<WebhookTables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('read committed').execute(work);
}
