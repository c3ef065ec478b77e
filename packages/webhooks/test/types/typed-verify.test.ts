import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineEvents } from '../../src/events/catalog.ts';
import type { JsonOf } from '../../src/events/typed-catalog.ts';
import type { ReceivedEvent, UnknownEvent, VerifiedEvent } from '../../src/signing/verified-event.ts';
import { verify } from '../../src/signing/verify.ts';

const events = defineEvents({
  'order.created': { label: 'Order placed', payload: z.object({ id: z.int(), placed_at: z.date() }) },
  'invoice.sent': { label: 'Invoice sent' },
});

/** What openapi-typescript makes of the sender's document. */
type Callback =
  | { type: 'order.created'; timestamp: string; data: { id: number } }
  | { type: 'order.cancelled'; timestamp: string; data: { id: number; reason: string } };

const request = { secret: 'whsec_', headers: {}, body: '' };

/** Never called: what is inside is for the compiler. */
const compiled = (_: () => Promise<unknown>): void => {};

/** Checked by `tsc`: each `@ts-expect-error` fails the type check when the error is gone. */
describe('the types of a verified event', () => {
  it('are told apart by the type of the event', () => {
    const received = (event: ReceivedEvent<typeof events>): number | undefined => {
      switch (event.type) {
        case 'order.created':
          expectTypeOf(event.data).toEqualTypeOf<{ id: number; placed_at: string }>();
          return event.data.id;
        case 'invoice.sent':
        case 'user.created':
          expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
          return undefined;
        default:
          // @ts-expect-error: every known event but those above, and the unknown
          event.data.id satisfies number;
          return undefined;
      }
    };
    expect(received).toBeTypeOf('function');
  });

  it('leave the unknown event, and nothing else, once every known one is dealt with', () => {
    const received = (event: ReceivedEvent<Callback>): string => {
      if (event.type === 'order.created') return String(event.data.id);
      if (event.type === 'order.cancelled') return event.data.reason;
      expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
      expectTypeOf(event.type).toExtend<string>();
      expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return event.type;
    };
    expect(received).toBeTypeOf('function');
  });

  it('come from the catalog itself, from its type, or from generated types', () => {
    compiled(async () => {
      expectTypeOf(await verify({ ...request, events })).toEqualTypeOf<ReceivedEvent<typeof events>>();
      expectTypeOf(await verify<typeof events>(request)).toEqualTypeOf<ReceivedEvent<typeof events>>();
      expectTypeOf(await verify<Callback>(request)).toEqualTypeOf<ReceivedEvent<Callback>>();
      expectTypeOf(await verify(request)).toEqualTypeOf<VerifiedEvent>();
      // @ts-expect-error: no catalog
      await verify({ ...request, events: { 'order.created': {} } });
    });
  });

  it('are what JSON makes of them', () => {
    interface Money {
      readonly cents: bigint;
      toJSON(): { amount: string };
    }
    type Sent = {
      at: Date;
      price: Money;
      tags: readonly [string, Date];
      note?: string | undefined;
      f(): void;
    };
    expectTypeOf<JsonOf<Sent>>().toEqualTypeOf<{
      at: string;
      price: { amount: string };
      tags: readonly [string, string];
      note?: string;
      f: never;
    }>();
    expectTypeOf<JsonOf<unknown>>().toBeUnknown();
    expectTypeOf<JsonOf<Record<string, unknown> | null>>().toEqualTypeOf<Record<string, unknown> | null>();
  });
});
