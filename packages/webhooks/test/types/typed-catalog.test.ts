import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type AdminApi, createAdminApi } from '../../src/admin/admin-api.ts';
import { defineEvents, type EventCatalog } from '../../src/events/catalog.ts';
import type { EventData, EventName, EventPattern, EventPayload } from '../../src/events/typed-catalog.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { type AnyWebhooks, createWebhooks, type Webhooks } from '../../src/webhooks.ts';

const events = defineEvents({
  'order.created': {
    label: 'Order placed',
    payload: z.object({ id: z.int(), note: z.string().default(''), placed_at: z.date() }),
  },
  'order.item.added': { label: 'Item added', payload: v.object({ sku: v.string() }) },
  'invoice.sent': { label: 'Invoice sent' },
});
type Events = typeof events;
interface Rule {
  readonly if: string;
  readonly then: string;
  readonly else: { readonly notify: string };
}
type OneOfTwo = 'order.created' | 'order.item.added';

const typed = createWebhooks({ storage: memoryStorage(), events });
const open = createWebhooks({ storage: memoryStorage() });

/** Never called: what is inside is for the compiler. */
const compiled = (_: (...given: never[]) => unknown): void => {};

/** Checked by `tsc`: each `@ts-expect-error` fails the type check when the error is gone. */
describe('the types of a catalog', () => {
  it('name its events and the built-in ones', () => {
    expectTypeOf<Extract<EventName<Events>, `${'order' | 'invoice'}.${string}`>>().toEqualTypeOf<
      'order.created' | 'order.item.added' | 'invoice.sent'
    >();
    expectTypeOf<'user.created'>().toExtend<EventName<Events>>();
    expectTypeOf<'order.creatd'>().not.toExtend<EventName<Events>>();
    expectTypeOf<EventName>().toEqualTypeOf<string>();
  });

  it('allow a prefix as a pattern only where such events exist', () => {
    expectTypeOf<'*' | 'order.*' | 'order.item.*' | 'user.*' | 'invoice.sent'>().toExtend<
      EventPattern<Events>
    >();
    expectTypeOf<'orders.*'>().not.toExtend<EventPattern<Events>>();
    expectTypeOf<'order.item.added.*'>().not.toExtend<EventPattern<Events>>();
    expectTypeOf<'order'>().not.toExtend<EventPattern<Events>>();
    expectTypeOf<EventPattern>().toEqualTypeOf<string>();
  });

  it('go through the 64 segments that a name may have', () => {
    const deep = createWebhooks({
      storage: memoryStorage(),
      events: {
        'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a':
          { label: 'Deep' },
      },
    });
    compiled(() => deep.create({ url: 'https://example.com/', events: ['a.*', 'a.a.a.*'] }));
    // @ts-expect-error: no event begins so
    compiled(() => deep.create({ url: 'https://example.com/', events: ['a.b.*'] }));
    const general: Webhooks = deep;
    expect(general.events).toHaveLength(17);
  });

  it('tell what goes in and what comes out', () => {
    expectTypeOf<EventPayload<Events, 'order.created'>>().toEqualTypeOf<{
      id: number;
      note?: string | undefined;
      placed_at: Date;
    }>();
    expectTypeOf<EventData<Events, 'order.created'>>().toEqualTypeOf<{
      id: number;
      note: string;
      placed_at: string;
    }>();
    expectTypeOf<EventPayload<Events, 'invoice.sent'>>().toEqualTypeOf<
      EventPayload<Events, 'user.created'>
    >();
    expectTypeOf<EventPayload<Events, 'user.created'>>().toExtend<object>();
    expectTypeOf<EventData<Events, 'user.created'>>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
  });

  it('make a wrong name, payload or pattern a compile error', () => {
    compiled(() => typed.dispatch('order.created', { id: 7, placed_at: new Date() }));
    compiled(() => typed.dispatch('invoice.sent', { anything: true }));
    compiled(() => typed.dispatch('user.created', { id: 7 }, { idempotencyKey: 'k' }));
    // @ts-expect-error: no such event
    compiled(() => typed.dispatch('order.creatd', { id: 7, placed_at: new Date() }));
    // @ts-expect-error: an id is a number
    compiled(() => typed.dispatch('order.created', { id: '7', placed_at: new Date() }));
    // @ts-expect-error: a member is missing
    compiled(() => typed.dispatch('order.item.added', {}));
    // @ts-expect-error: text is no object
    compiled(() => typed.dispatch('user.created', 'text'));
    // @ts-expect-error: a payload that fits one of two events
    compiled((name: OneOfTwo) => typed.dispatch(name, { sku: 'A-1' }));
    compiled((name: OneOfTwo) => typed.dispatch(name, { sku: 'A-1', id: 7, placed_at: new Date() }));
    compiled(() => typed.create({ url: 'https://example.com/', events: ['order.*', '*', 'user.created'] }));
    compiled(() => typed.update(1, { events: ['order.item.*'] }));
    // @ts-expect-error: no event begins so
    compiled(() => typed.create({ url: 'https://example.com/', events: ['orders.*'] }));
    // @ts-expect-error: no such event
    compiled(() => typed.update(1, { events: ['order.creatd'] }));
  });

  it('take any object for an event without a schema, and nothing that is no object in JSON', () => {
    interface Invoice {
      readonly id: number;
      readonly call?: string;
    }
    class Sent {
      readonly id = 7;
      toJSON(): object {
        return { id: this.id };
      }
    }
    for (const dispatch of [typed.dispatch, open.dispatch] as const) {
      compiled(() => dispatch('invoice.sent', {}));
      compiled((invoice: Invoice) => dispatch('invoice.sent', invoice));
      compiled((anything: Record<string, unknown>) => dispatch('invoice.sent', anything));
      compiled((anything: object) => dispatch('invoice.sent', anything));
      compiled(() => dispatch('invoice.sent', new Sent()));
      // @ts-expect-error: JSON makes an array of it
      compiled(() => dispatch('invoice.sent', [1, 2]));
      // @ts-expect-error: JSON makes nothing of it
      compiled(() => dispatch('invoice.sent', () => 1));
      // @ts-expect-error: JSON makes an empty object of it
      compiled(() => dispatch('invoice.sent', new Map()));
      // @ts-expect-error: JSON makes an empty object of it
      compiled(() => dispatch('invoice.sent', new Set([1])));
      // @ts-expect-error: JSON makes text of it
      compiled(() => dispatch('invoice.sent', new Date()));
      compiled((rule: Rule) => dispatch('invoice.sent', rule));
      // @ts-expect-error: an await was forgotten
      compiled(() => dispatch('invoice.sent', Promise.resolve({ id: 7 })));
    }
  });

  it('are left aside for text that is not known before run time', () => {
    const untyped: Webhooks = typed;
    compiled((url: string, chosen: string[]) => untyped.create({ url, events: chosen }));
    compiled((name: string, payload: object) => untyped.dispatch(name, payload));
    // @ts-expect-error: any text
    compiled((url: string, chosen: string[]) => typed.create({ url, events: chosen }));
  });

  it('are read off events written in place', () => {
    const inPlace = createWebhooks({
      storage: memoryStorage(),
      events: { 'order.created': { label: 'Order placed', payload: z.object({ id: z.int() }) } },
    });
    compiled(() => inPlace.dispatch('order.created', { id: 7 }));
    // @ts-expect-error: no such event
    compiled(() => inPlace.dispatch('order.creatd', { id: 7 }));
    // @ts-expect-error: an id is a number
    compiled(() => inPlace.dispatch('order.created', { id: '7' }));
  });

  it('refuse a payload schema whose output is no object', () => {
    // @ts-expect-error: text is no payload
    defineEvents({ 'order.created': { label: 'Order placed', payload: z.string() } });
  });

  it('stay open without a catalog, or with one that is not known before run time', () => {
    compiled(() => open.dispatch('order.creatd', { id: 7 }));
    compiled(() => open.create({ url: 'https://example.com/', events: ['orders.*'] }));
    // @ts-expect-error: text is no object
    compiled(() => open.dispatch('order.created', 'text'));
    const loaded: EventCatalog = { 'order.created': { label: 'Order placed' } };
    const fromFile = createWebhooks({ storage: memoryStorage(), events: loaded });
    compiled(() => fromFile.dispatch('order.creatd', { id: 7 }));
    compiled(() => fromFile.create({ url: 'https://example.com/', events: ['orders.*'] }));
  });

  it('know the built-in events alone where the catalog is empty', () => {
    const strict = createWebhooks({ storage: memoryStorage(), events: {} });
    compiled(() => strict.dispatch('user.created', {}));
    // @ts-expect-error: no such event
    compiled(() => strict.dispatch('order.created', {}));
  });
});

describe('the types of an engine without all built-in events', () => {
  const none = createWebhooks({ storage: memoryStorage(), events, builtInEvents: false });
  const some = createWebhooks({ storage: memoryStorage(), events, builtInEvents: ['user.created'] });
  const url = 'https://example.com/';

  it('name the events that it keeps, and the test event', () => {
    expectTypeOf(none).toEqualTypeOf<Webhooks<never, Events, never>>();
    expectTypeOf(some).toEqualTypeOf<Webhooks<never, Events, 'user.created'>>();
    expectTypeOf<EventName<Events, never>>().toEqualTypeOf<keyof Events | 'webhook.test'>();
    const all = createWebhooks({ storage: memoryStorage(), events, builtInEvents: true });
    expectTypeOf(all).toEqualTypeOf<Webhooks<never, Events>>();
    const byConfiguration: boolean = some === undefined;
    const either = createWebhooks({ storage: memoryStorage(), events, builtInEvents: byConfiguration });
    expectTypeOf(either).toEqualTypeOf<Webhooks<never, Events>>();
    expect(Object.keys(none.eventSchemas())).toEqual([...Object.keys(events), 'webhook.test']);
    expect(Object.keys(some.eventSchemas())).toEqual([
      'user.created',
      ...Object.keys(events),
      'webhook.test',
    ]);
  });

  it('make the others a compile error, as names and as patterns', () => {
    compiled(() => none.dispatch('invoice.sent', {}));
    compiled(() => some.dispatch('user.created', {}));
    compiled(() => some.create({ url, events: ['user.*', 'user.created', 'order.*', 'webhook.*'] }));
    // @ts-expect-error: no such event
    compiled(() => none.dispatch('user.created', {}));
    // @ts-expect-error: no such event
    compiled(() => some.dispatch('user.updated', {}));
    // @ts-expect-error: no event begins so
    compiled(() => none.create({ url, events: ['user.*'] }));
    // @ts-expect-error: no such event
    compiled(() => some.update(1, { events: ['user.updated'] }));
    // @ts-expect-error: no built-in event
    compiled(() => createWebhooks({ storage: memoryStorage(), builtInEvents: ['order.created'] }));
  });

  it('are accepted wherever an engine is asked for', () => {
    const general: Webhooks = none;
    expect(general.events).toHaveLength(4);
    expectTypeOf(some).toExtend<Webhooks>();
  });
});

describe('an engine that knows its events', () => {
  it('is accepted wherever an engine is asked for', () => {
    const general: Webhooks = typed;
    const api: AdminApi = createAdminApi(typed, { authorize: () => null });
    expect(general.events).toHaveLength(19);
    expect(api).toBeTypeOf('function');
    expectTypeOf(typed).toExtend<Webhooks>();
    expectTypeOf(typed).toExtend<Pick<Webhooks, 'dispatch' | 'create' | 'update'>>();
  });

  it('keeps the transaction of its storage', () => {
    interface HostTransaction {
      commit(): Promise<void>;
    }
    compiled((storage: WebhookStorage<HostTransaction>, transaction: HostTransaction) => {
      const joined = createWebhooks({ storage, events });
      expectTypeOf(joined).toEqualTypeOf<Webhooks<HostTransaction, Events>>();
      expectTypeOf(joined).toExtend<Webhooks<HostTransaction>>();
      // @ts-expect-error: no transaction of this storage
      void joined.dispatch('user.created', {}, { transaction: {} });
      return joined.dispatch('order.item.added', { sku: 'A-1' }, { transaction });
    });
  });

  it('has one name, whatever its events and transactions are', () => {
    interface HostTransaction {
      commit(): Promise<void>;
    }
    compiled((storage: WebhookStorage<HostTransaction>, transaction: HostTransaction) => {
      const strict = createWebhooks({ storage, events, builtInEvents: false });
      expectTypeOf(strict).toExtend<AnyWebhooks>();
      expectTypeOf(createWebhooks({ storage })).toExtend<AnyWebhooks>();
      expectTypeOf(typed).toExtend<AnyWebhooks>();
      const any: AnyWebhooks = strict;
      // @ts-expect-error: no object
      void any.dispatch('order.item.added', {}, { transaction: 'begin' });
      void createAdminApi(any, { authorize: () => null });
      return any.dispatch('order.item.added', { sku: 'A-1' }, { transaction });
    });
  });
});
