import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { MAX_WAITING_DISPATCHES } from '../../src/dispatch/dispatch-writer.ts';
import { createDispatcher } from '../../src/dispatch/dispatcher.ts';
import { type EventCatalog, TEST_EVENT } from '../../src/events/catalog.ts';
import type { PayloadSchema } from '../../src/events/payload-schema.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import { createCounters } from '../../src/stats.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { createTestEngine } from '../engine/engine.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { startRecipient } from '../engine/recipient.ts';
import { STORAGES } from '../engine/storages.ts';
import { ORDER_SCHEMAS, schemaOf } from '../events/order-schemas.ts';

const catalog = (payload: PayloadSchema): EventCatalog => ({
  'order.created': { label: 'Order placed', payload },
});

/** What is stored, and so sent, of a webhook's only delivery. */
async function onlyPayload(webhooks: Webhooks, webhookId: number): Promise<unknown> {
  const { deliveries } = await webhooks.deliveries(webhookId);
  expect(deliveries).toHaveLength(1);
  return JSON.parse((await webhooks.delivery(webhookId, deliveries[0]?.deliveryId ?? '')).payload);
}

/** A schema that answers when it is told to, and refuses what is `wrong`. */
function gatedSchema() {
  const gates: (() => void)[] = [];
  const schema = schemaOf(async (value) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    const payload = value as { readonly wrong?: boolean };
    return payload.wrong ? { issues: [{ message: 'wrong' }] } : { value: payload };
  });
  return { schema, gates, open: () => gates.splice(0).map((open) => open()) };
}

/** Begins to listen; answers what was not handled until it is called. */
function collectUnhandled(): () => Promise<unknown[]> {
  const reasons: unknown[] = [];
  const onUnhandled = (reason: unknown) => reasons.push(reason);
  process.on('unhandledRejection', onUnhandled);
  return async () => {
    // Node reports unhandled rejections once the microtasks of a turn are done.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    return reasons;
  };
}

describe.each(STORAGES)('dispatch of an event with a payload schema on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it.each(ORDER_SCHEMAS)('sends what the schema makes of the payload: $library', async ({ schema }) => {
    const { webhooks } = harness.engine({ events: catalog(schema) });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const payload = { id: 7, items: [{ sku: 'A-1' }], password: 'not for recipients' };
    expect(await webhooks.dispatch('order.created', payload)).toEqual({ deliveries: 1, repeated: false });
    expect(await onlyPayload(webhooks, id)).toEqual({ id: 7, items: [{ sku: 'A-1' }], note: 'none' });
  });

  it.each(ORDER_SCHEMAS)(
    'refuses a payload that does not fit, and writes nothing: $library',
    async ({ schema }) => {
      const { webhooks, errors } = harness.engine({ events: catalog(schema) });
      const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
      const dispatched = webhooks.dispatch('order.created', { id: 'seven', items: [{}] });
      await expect(dispatched).rejects.toMatchObject({
        name: 'WebhookError',
        code: 'invalid_payload',
        errors: [{ field: 'id' }, { field: 'items[0].sku', code: 'required', message: 'is missing' }],
      });
      expect(errors.map(({ code }) => code)).toEqual(['invalid_payload']);
      expect((await webhooks.get(id)).stats.total).toBe(0);
    },
  );

  it.each(ORDER_SCHEMAS)('takes the payload as it is at the call: $library', async ({ schema }) => {
    const { webhooks } = harness.engine({ events: catalog(schema) });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const payload: Record<string, unknown> = { id: 7, items: [{ sku: 'A-1' }], note: 'first' };
    const dispatched = webhooks.dispatch('order.created', payload);
    payload.id = 'wrong';
    payload.note = 'second';
    Object.assign(payload.items as object, { 0: { sku: 1 }, 1: { sku: 'A-2' } });
    await dispatched;
    expect(await onlyPayload(webhooks, id)).toEqual({ id: 7, items: [{ sku: 'A-1' }], note: 'first' });
  });

  it('writes an idempotency key once while a schema is waited for', async () => {
    const gated = gatedSchema();
    const { webhooks } = harness.engine({ events: catalog(gated.schema) });
    await webhooks.create({ url: 'http://127.0.0.1/' });
    const options = { idempotencyKey: 'order-7' };
    const both = [1, 2].map((n) => webhooks.dispatch('order.created', { n }, options));
    gated.open();
    expect((await Promise.all(both)).map(({ repeated }) => repeated).sort()).toEqual([false, true]);
  });

  it('writes what was accepted before close(), however long its schema takes', async () => {
    const gated = gatedSchema();
    const { webhooks } = harness.engine({ events: catalog(gated.schema) });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const accepted = webhooks.dispatch('order.created', { n: 1 });
    const closed = webhooks.close();
    await expect(webhooks.dispatch('order.created', { n: 2 })).rejects.toMatchObject({ code: 'closed' });
    gated.open();
    await closed;
    expect(await onlyPayload(webhooks, id)).toEqual({ n: 1 });
    expect(await accepted).toEqual({ deliveries: 1, repeated: false });
  });
});

describe('dispatch with a catalog', () => {
  it('delivers the output of the schema in the signed body', async () => {
    const events = catalog(z.object({ id: z.int(), placed_at: z.date() }));
    const { webhooks } = createTestEngine(memoryStorage(), { events });
    const recipient = await startRecipient();
    await webhooks.start();
    await webhooks.create({ url: recipient.url, events: ['order.created'] });
    await webhooks.dispatch('order.created', { id: 7, placed_at: new Date(0), more: true });
    await recipient.receivedCount(1);
    expect(JSON.parse(recipient.received[0]?.body ?? '')).toMatchObject({
      type: 'order.created',
      data: { id: 7, placed_at: '1970-01-01T00:00:00.000Z' },
    });
    expect(recipient.received[0]?.body).not.toContain('more');
    await webhooks.close();
    await recipient.close();
  });

  it('writes in the order of the calls what no schema holds up', async () => {
    const { webhooks } = createTestEngine(memoryStorage(), { events: catalog(z.object({ n: z.int() })) });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const names = ['order.created', 'user.created', 'order.created', 'role.created'];
    await Promise.all(names.map((name, n) => webhooks.dispatch(name, { n })));
    const { deliveries } = await webhooks.deliveries(id);
    expect(deliveries.map(({ event }) => event)).toEqual(names.reverse());
  });

  it('takes events that it does not know, and test events, unchecked', async () => {
    const { webhooks } = createTestEngine(memoryStorage(), { events: catalog(z.object({ n: z.int() })) });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    expect(await webhooks.dispatch('order.shipped', { any: 'thing' })).toMatchObject({ deliveries: 1 });
    expect(await webhooks.test(id)).toMatchObject({ status: 'pending' });
    const { deliveries } = await webhooks.deliveries(id);
    expect(deliveries.map(({ event }) => event)).toEqual([TEST_EVENT, 'order.shipped']);
  });

  it.each<[string, PayloadSchema, object, string]>([
    ['an output that is no object', schemaOf(() => ({ value: 'text' as never })), {}, 'invalid_payload'],
    [
      'an output above 256 KiB',
      schemaOf(() => ({ value: { t: 'x'.repeat(262_144) } })),
      {},
      'payload_too_large',
    ],
    [
      'an output above 256 KiB, asynchronously',
      schemaOf(async () => ({ value: { t: 'x'.repeat(262_144) } })),
      {},
      'payload_too_large',
    ],
    ['a schema that rejects', schemaOf(() => Promise.reject(new Error('no'))), {}, 'schema_failed'],
    [
      'a payload whose getter throws',
      z.looseObject({}),
      {
        get bad(): never {
          throw new Error('no');
        },
      },
      'invalid_payload',
    ],
  ])(
    'refuses %s with a rejection that may be ignored, and tells onError once',
    async (_, schema, payload, code) => {
      const { webhooks, errors } = createTestEngine(memoryStorage(), { events: catalog(schema) });
      const unhandled = collectUnhandled();
      void webhooks.dispatch('order.created', payload);
      await expect.poll(() => errors.map((error) => error.code)).toEqual([code]);
      expect(await unhandled()).toEqual([]);
      expect(errors).toHaveLength(1);
    },
  );

  it("keeps a payload that a schema's own error quotes out of the logs", async () => {
    const lines: object[] = [];
    const write = (fields: object) => void lines.push(fields);
    const quoting = schemaOf((value) => ({ value: JSON.parse((value as { readonly json: string }).json) }));
    const { webhooks, errors } = createTestEngine(memoryStorage(), {
      events: catalog(quoting),
      logger: { debug: write, info: write, warn: write, error: write },
    });
    const dispatched = webhooks.dispatch('order.created', { json: 'card 4711' });
    await expect(dispatched).rejects.toMatchObject({ code: 'schema_failed' });
    expect(errors[0]?.cause).toMatchObject({ message: expect.stringContaining('4711') });
    expect(JSON.stringify(lines)).toContain('"code":"schema_failed"');
    expect(JSON.stringify(lines)).toContain('"name":"SyntaxError"');
    expect(JSON.stringify(lines)).not.toContain('4711');
  });

  it('lets at most 20,000 dispatches wait for their schemas', async () => {
    const gated = gatedSchema();
    const { webhooks } = createTestEngine(memoryStorage(), { events: catalog(gated.schema) });
    const waiting = Array.from({ length: MAX_WAITING_DISPATCHES }, () =>
      webhooks.dispatch('order.created', {}),
    );
    const unhandled = collectUnhandled();
    const overloaded = webhooks.dispatch('order.created', { wrong: true });
    await expect(overloaded).rejects.toMatchObject({ code: 'overloaded' });
    expect(await webhooks.dispatch('user.created', {})).toEqual({ deliveries: 0, repeated: false });
    gated.open();
    expect(await Promise.all(waiting)).toHaveLength(MAX_WAITING_DISPATCHES);
    expect(await unhandled()).toEqual([]);
    const again = webhooks.dispatch('order.created', {});
    gated.open();
    expect(await again).toEqual({ deliveries: 0, repeated: false });
  });
});

describe('the dispatcher', () => {
  it.each(['idle', 'close'] as const)('waits in %s() for what a schema holds up', async (method) => {
    const gated = gatedSchema();
    const dispatcher = createDispatcher({
      storage: memoryStorage(),
      announce() {},
      clock: Date.now,
      notifier: { error: () => expect.fail('no error was expected') },
      counters: createCounters(),
      events: catalog(gated.schema),
    });
    const dispatched = dispatcher.dispatch('order.created', {});
    let isOver = false;
    const waited = dispatcher[method]().then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isOver, dispatcher.waiting()]).toEqual([false, 1]);
    gated.open();
    await waited;
    expect(await dispatched).toEqual({ deliveries: 0, repeated: false });
    expect(dispatcher.waiting()).toBe(0);
  });
});

describe("a checked dispatch in the host's transaction", () => {
  it.each(ORDER_SCHEMAS)('commits and rolls back with it: $library', async ({ schema }) => {
    const file = sqliteFile();
    const db = file.open();
    await migrateWebhooks(db);
    const webhooks = createWebhooks({
      storage: kyselyStorage(db),
      events: catalog(schema),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      sweepIntervalMs: 3_600_000,
    });
    const { id } = await webhooks.create({ url: 'http://127.0.0.1/' });
    const failing = db.transaction().execute(async (transaction) => {
      await webhooks.dispatch('order.created', { id: 1, items: [] }, { transaction });
      throw new Error('out of stock');
    });
    await expect(failing).rejects.toThrow('out of stock');
    const refused = db
      .transaction()
      .execute((transaction) => webhooks.dispatch('order.created', { id: 'x', items: [] }, { transaction }));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_payload' });
    expect((await webhooks.get(id)).stats.total).toBe(0);
    await db
      .transaction()
      .execute((transaction) => webhooks.dispatch('order.created', { id: 2, items: [] }, { transaction }));
    expect(await onlyPayload(webhooks, id)).toEqual({ id: 2, items: [], note: 'none' });
    await webhooks.close();
    await file.remove();
  });
});
