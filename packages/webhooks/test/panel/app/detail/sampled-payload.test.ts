import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEvents, eventSchemas } from '../../../../src/events/index.ts';
import { sampledPayload } from '../../../../src/panel/app/detail/sampled-payload.ts';

type Tree = { name: string; children: Tree[] };
const Tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(Tree).min(1) }));

/** The text that the panel proposes for an event with this payload. */
function proposed(payload?: z.ZodType<object>): string | null {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = eventSchemas(
    defineEvents({ 'order.created': { label: 'Order placed', ...(payload ? { payload } : {}) } }),
  );
  return sampledPayload({ ...schemas['order.created'] });
}

describe('sampledPayload', () => {
  it.each<[string, z.ZodObject]>([
    ['numbers', z.object({ id: z.int().min(5), price: z.number().positive().max(9) })],
    ['formats', z.object({ mail: z.email(), at: z.iso.datetime(), id: z.uuid(), url: z.url() })],
    ['bounds', z.object({ code: z.string().min(12).max(14), tags: z.array(z.string()).min(2) })],
    ['choices', z.object({ status: z.enum(['paid', 'open']), kind: z.literal(7), on: z.boolean() })],
    ['unions', z.object({ by: z.union([z.string(), z.int()]), note: z.string().nullable() })],
    [
      'nested objects',
      z.object({ customer: z.object({ name: z.string(), tags: z.record(z.string(), z.int()) }) }),
    ],
    ['strict objects', z.strictObject({ id: z.string() })],
    ['bounds below zero', z.object({ least: z.int().max(-3), most: z.number().negative() })],
    ['dates', z.object({ day: z.iso.date() })],
  ])('fits a schema with %s', (_, payload) => {
    const text = proposed(payload);
    expect(payload.safeParse(JSON.parse(text ?? 'null'))).toMatchObject({ success: true });
  });

  it('is indented and has the members of the schema alone', () => {
    expect(proposed(z.looseObject({ id: z.int() }))).toBe('{\n  "id": 0\n}');
  });

  it('has the members of every part of a schema', () => {
    const part = (name: string) => ({ type: 'object', properties: { [name]: { type: 'boolean' } } });
    const text = sampledPayload({ properties: { data: { allOf: [part('a'), part('b')] } } });
    expect(JSON.parse(text ?? 'null')).toEqual({ a: true, b: true });
  });

  it('ends in a schema that contains itself', () => {
    const text = proposed(z.object({ root: Tree }));
    expect(JSON.parse(text ?? 'null')).toMatchObject({ root: { name: 'string', children: [{}] } });
  });

  it.each([
    ['an event without a schema', undefined],
    ['an object without members', z.object({})],
    ['a record beyond what a test sends', z.object({ text: z.string().min(40_000) })],
  ])('is null for %s', (_, payload) => {
    expect(proposed(payload)).toBeNull();
  });
});
