import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SqliteFile, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { createDispatcher } from '../../src/dispatch/dispatcher.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { inProcessQueue } from '../../src/queue/in-process-queue.ts';
import { createCounters } from '../../src/stats.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import { createTestEngine } from './engine.ts';
import { useEngineHarness } from './engine-harness.ts';
import { startRecipient } from './recipient.ts';
import { ALL_STORAGES } from './storages.ts';

const LOOPBACK = { allowedAddresses: ['127.0.0.1/32'] };

describe.each(ALL_STORAGES)('dispatch on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('answers how many webhooks will receive the event, none included', async () => {
    const { webhooks } = harness.engine();
    expect(await webhooks.dispatch('user.created', {})).toEqual({ deliveries: 0, repeated: false });
    await webhooks.create({ url: 'http://127.0.0.1/a' });
    await webhooks.create({ url: 'http://127.0.0.1/b' });
    expect(await webhooks.dispatch('user.created', {})).toEqual({ deliveries: 2, repeated: false });
  });

  it('keeps the order of a burst in the history', async () => {
    const { webhooks } = harness.engine();
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const events = Array.from({ length: 50 }, (_, n) => `burst.number_${n}`);
    await Promise.all(events.map((event) => webhooks.dispatch(event, {})));
    const { deliveries } = await webhooks.deliveries(id);
    expect(deliveries.map(({ event }) => event)).toEqual(events.reverse());
  });

  it('writes an idempotency key once per event, for webhooks registered later as well', async () => {
    const { webhooks } = harness.engine();
    await webhooks.create({ url: 'http://127.0.0.1/' });
    const options = { idempotencyKey: 'order-7' };
    const [first, racing] = await Promise.all([
      webhooks.dispatch('order.created', { n: 1 }, options),
      webhooks.dispatch('order.created', { n: 2 }, options),
    ]);
    expect([first?.repeated, racing?.repeated].sort()).toEqual([false, true]);
    await webhooks.create({ url: 'http://127.0.0.1/later' });
    expect(await webhooks.dispatch('order.created', {}, options)).toEqual({ deliveries: 0, repeated: true });
    expect(await webhooks.dispatch('order.updated', {}, options)).toEqual({ deliveries: 2, repeated: false });
  });

  it.each([
    ['an event name without a verb', ['order', {}], 'invalid_event'],
    ['an event name that is no text', [7, {}], 'invalid_event'],
    ['a pattern', ['order.*', {}], 'invalid_event'],
    ['a payload that is no object', ['order.created', 'text'], 'invalid_payload'],
    ['null as the payload', ['order.created', null], 'invalid_payload'],
    ['a payload above 256 KiB', ['order.created', { t: 'x'.repeat(262_144) }], 'payload_too_large'],
    ['an empty idempotency key', ['order.created', {}, { idempotencyKey: '' }], 'invalid_idempotency_key'],
    [
      'an idempotency key of 256 characters',
      ['order.created', {}, { idempotencyKey: 'k'.repeat(256) }],
      'invalid_idempotency_key',
    ],
    [
      'an idempotency key with U+0000',
      ['order.created', {}, { idempotencyKey: 'a\u0000' }],
      'invalid_idempotency_key',
    ],
  ])('refuses %s with a rejection, tells onError once, and writes nothing', async (_, args, code) => {
    const { webhooks, errors } = harness.engine();
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const dispatch = webhooks.dispatch as (...args: unknown[]) => Promise<unknown>;
    await expect(dispatch(...args)).rejects.toMatchObject({ name: 'WebhookError', code });
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect((await webhooks.get(id)).stats.total).toBe(0);
  });
});

describe('what a dispatch in plain JavaScript is told', () => {
  const events = { 'order.paid': { label: 'Order paid', payload: z.object({ id: z.number() }) } };

  it('is which options there are', async () => {
    const { webhooks } = createTestEngine(memoryStorage());
    const misspelt = { idempotencykey: 'x' } as object;
    await expect(webhooks.dispatch('order.paid', {}, misspelt)).rejects.toThrow(
      'A dispatch has no option "idempotencykey" (known: transaction, idempotencyKey, tenant, only)',
    );
  });

  it('is which member of {} the schema lacks, where the payload was forgotten', async () => {
    const webhooks: Webhooks = createWebhooks({ storage: memoryStorage(), events, logger: silentLogger });
    await expect(webhooks.dispatch('order.paid', undefined)).rejects.toMatchObject({
      code: 'invalid_payload',
      errors: [{ field: 'id', code: 'required' }],
    });
  });

  it('is the nearest event of the catalog, once, if there is one', async () => {
    const warnings: unknown[][] = [];
    const logger = { ...silentLogger, warn: (...said: unknown[]) => void warnings.push(said) };
    const typed: Webhooks = createWebhooks({ storage: memoryStorage(), events, logger });
    const open = createWebhooks({ storage: memoryStorage(), logger });
    for (const webhooks of [typed, typed, open]) await webhooks.dispatch('order.payed', {});
    expect(warnings).toEqual([
      [
        { event: 'order.payed', nearest: 'order.paid' },
        'an event was dispatched that the catalog does not have',
      ],
    ]);
  });
});

describe('a dispatch nobody waits for', () => {
  it('reports its failure to onError and is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    try {
      const failing: WebhookStorage = {
        ...memoryStorage(),
        recordDispatches: () => Promise.reject(new Error('the disk is gone')),
      };
      const reported = new Promise((resolve) => {
        const webhooks = createWebhooks({
          storage: failing,
          onError: (error, context) => resolve([error, context]),
        });
        void webhooks.dispatch('user.created', {});
      });
      expect(await reported).toEqual([
        expect.objectContaining({
          code: 'storage_unavailable',
          cause: expect.objectContaining({ message: 'the disk is gone' }),
        }),
        { source: 'dispatch', failures: 1 },
      ]);
      // Node reports unhandled rejections once the microtasks of a turn are done.
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
  });

  it('survives an onError that throws or rejects', async () => {
    for (const onError of [
      () => {
        throw new Error('in the hook');
      },
      () => Promise.reject(new Error('in the hook')),
    ]) {
      const webhooks = createWebhooks({ storage: memoryStorage(), onError });
      await expect(webhooks.dispatch('wrong', {})).rejects.toMatchObject({ code: 'invalid_event' });
    }
  });

  it('stays durable when the queue refuses the job', async () => {
    const errors: string[] = [];
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      egress: LOOPBACK,
      queue: { ...inProcessQueue(), enqueue: () => Promise.reject(new Error('Redis is away')) },
      onError: ({ code }, { source }) => errors.push(`${source} ${code}`),
    });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    expect(await webhooks.dispatch('user.created', {})).toMatchObject({ deliveries: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual(['enqueue queue_unavailable']);
    expect((await webhooks.get(id)).stats.pending).toBe(1);
  });
});

describe("a dispatch in the host's transaction", () => {
  let file: SqliteFile;
  beforeEach(() => {
    file = sqliteFile();
  });
  afterEach(() => file.remove());

  async function shop() {
    const db = file.open<{ orders: { id: number } }>();
    await migrateWebhooks(db);
    await db.schema.createTable('orders').addColumn('id', 'integer').execute();
    const webhooks = createWebhooks({
      storage: kyselyStorage(db),
      egress: LOOPBACK,
      sweepIntervalMs: 3_600_000,
    });
    return { db, webhooks };
  }

  it('is sent once the transaction commits, without any further call', async () => {
    const { db, webhooks } = await shop();
    const target = await startRecipient();
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    // Once this one is through, nothing polls any more unless it is told to.
    await webhooks.dispatch('user.created', {});
    await expect.poll(async () => (await webhooks.get(id)).stats.success).toBe(1);
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('orders').values({ id: 7 }).execute();
      await webhooks.dispatch('order.created', { id: 7 }, { transaction });
      expect(target.received).toHaveLength(1);
    });
    await target.receivedCount(2);
    await webhooks.close();
    await target.close();
  });

  it("uses the transaction's connection alone: SQLite has one", async () => {
    const { db, webhooks } = await shop();
    const result = await db
      .transaction()
      .execute((transaction) => webhooks.dispatch('order.created', {}, { transaction, idempotencyKey: 'k' }));
    expect(result).toEqual({ deliveries: 0, repeated: false });
  });
});

describe('the dispatcher', () => {
  it('groups a burst of dispatches into few writes', async () => {
    const storage = memoryStorage();
    const groups: number[] = [];
    const dispatcher = createDispatcher({
      storage: {
        ...storage,
        recordDispatches(records) {
          groups.push(records.length);
          return storage.recordDispatches(records);
        },
      },
      announce() {},
      clock: Date.now,
      notifier: { error: () => expect.fail('no error was expected') },
      counters: createCounters(),
    });
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => dispatcher.dispatch('user.created', { n })));
    expect(groups).toEqual([32, 64, 128, 256, 500, 220]);
  });
});
