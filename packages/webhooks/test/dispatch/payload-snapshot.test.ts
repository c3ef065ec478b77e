import { describe, expect, it } from 'vitest';
import { MAX_PAYLOAD_DEPTH, payloadSnapshot } from '../../src/dispatch/payload-snapshot.ts';

describe('the snapshot of a payload', () => {
  it('is equal, and nothing that changes afterwards changes it', () => {
    const payload = {
      items: [{ sku: 'A-1' }],
      at: new Date(0),
      bare: Object.assign(Object.create(null), { n: 1 }),
    };
    const snapshot = payloadSnapshot(payload);
    expect(snapshot).toEqual(payload);
    payload.items[0] = { sku: 'A-2' };
    payload.items.push({ sku: 'A-3' });
    payload.at.setTime(1);
    payload.bare.n = 2;
    expect(snapshot).toEqual({ items: [{ sku: 'A-1' }], at: new Date(0), bare: { n: 1 } });
  });

  it('passes on what a schema may ask for as it is', () => {
    class Money {
      readonly cents = 1n;
    }
    const payload = { price: new Money(), tags: new Set(['a']), bytes: new Uint8Array(2), f: () => 1 };
    const snapshot = payloadSnapshot(payload) as typeof payload;
    for (const key of Object.keys(payload) as (keyof typeof payload)[]) {
      expect(snapshot[key]).toBe(payload[key]);
    }
    expect(payloadSnapshot('text')).toBe('text');
    expect(payloadSnapshot(undefined)).toBe(undefined);
  });

  it.skipIf(!('rawJSON' in JSON))('keeps a number that JSON.rawJSON made (Node 22)', () => {
    const total: unknown = Reflect.get(JSON, 'rawJSON').call(JSON, '1.10');
    expect(JSON.stringify(payloadSnapshot({ items: [{ total }] }))).toBe('{"items":[{"total":1.10}]}');
  });

  it('keeps a member named __proto__ a member', () => {
    const snapshot = payloadSnapshot(JSON.parse('{"__proto__":{"admin":true}}'));
    expect(Object.getPrototypeOf(snapshot)).toBe(Object.prototype);
    expect(JSON.stringify(snapshot)).toBe('{"__proto__":{"admin":true}}');
  });

  it('goes 200 levels deep, and no circle goes on for ever', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) });
    expect(payloadSnapshot(nested(MAX_PAYLOAD_DEPTH - 1))).toEqual(nested(MAX_PAYLOAD_DEPTH - 1));
    expect(() => payloadSnapshot(nested(MAX_PAYLOAD_DEPTH))).toThrow(RangeError);
    const circle: Record<string, unknown> = {};
    circle.self = [circle];
    expect(() => payloadSnapshot(circle)).toThrow(RangeError);
  });
});
