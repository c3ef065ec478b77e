import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { defineEvents, eventSchemas } from '../../../../src/events/index.ts';
import { sampledPayload } from '../../../../src/panel/app/detail/sampled-payload.ts';

type Tree = { name: string; children: Tree[] };
const Tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(Tree) }));
const Folder = z.object({
  name: z.string(),
  get parent() {
    return Folder.nullable();
  },
  get next() {
    return Folder.optional();
  },
});

/** The text that the panel proposes for an event with this payload. */
function proposed(payload?: z.ZodType<object>): string | null {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = eventSchemas(
    defineEvents({ 'order.created': { label: 'Order placed', ...(payload ? { payload } : {}) } }),
  );
  return sampledPayload({ ...schemas['order.created'] });
}

describe('sampledPayload', () => {
  inOneTest<[string, z.ZodObject]>([
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
    ['dates', z.object({ day: z.iso.date(), time: z.iso.time(), within: z.iso.duration() })],
    ['addresses', z.object({ older: z.ipv4(), newer: z.ipv6() })],
    ['tuples', z.object({ at: z.tuple([z.string(), z.number()]), all: z.tuple([z.int()], z.string()) })],
    ['records of known names', z.object({ of: z.record(z.enum(['a', 'constructor']), z.int()) })],
    ['arrays that are empty', z.object({ none: z.array(z.string()).max(0), nothing: z.tuple([]) })],
    ['bounds close to each other', z.object({ share: z.number().gt(0).lt(0.005), of: z.int().gt(0.5) })],
    ['itself inside', z.object({ root: Tree, folder: Folder })],
    ['a pattern that needs its flag', z.object({ face: z.string().regex(/[\u{1F600}-\u{1F64F}]?/u) })],
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

  it('leaves a schema out within itself', () => {
    const text = proposed(z.object({ root: Tree, folder: Folder }));
    const folder = { name: 'string', parent: null };
    expect(JSON.parse(text ?? 'null')).toEqual({ root: { name: 'string', children: [] }, folder });
  });

  it('takes a format named constructor for plain text', () => {
    const text = { type: 'string', format: 'constructor' };
    const schema = { properties: { data: { type: 'object', properties: { text } } } };
    expect(JSON.parse(sampledPayload(schema) ?? 'null')).toEqual({ text: 'string' });
  });

  const members = (nameOf: (index: number) => string) =>
    Object.fromEntries(
      Array.from({ length: 25 }, (_, n) => [`m${n}`, { $ref: `#/properties/${nameOf(n)}` }]),
    );

  it('leaves out many members that are the object itself', () => {
    const properties = { id: { type: 'integer' }, ...members(() => 'data') };
    const data = { type: 'object', properties };
    expect(sampledPayload({ properties: { data } })).toBe('{\n  "id": 0\n}');
  });

  it('is null for many objects that are members of each other', () => {
    const each = { type: 'object', properties: members((index) => `other${index}`) };
    const others = Array.from({ length: 25 }, (_, index) => [`other${index}`, each]);
    expect(sampledPayload({ properties: { data: each, ...Object.fromEntries(others) } })).toBeNull();
  });

  inOneTest([
    ['an event without a schema', undefined],
    ['an object without members', z.object({})],
    ['arrays that multiply', z.object({ all: z.array(z.array(z.array(z.int()).min(99)).min(99)).min(99) })],
    ['a record beyond what a test sends', z.object({ text: z.string().min(40_000) })],
  ])('is null for %s', (_, payload) => {
    expect(proposed(payload)).toBeNull();
  });
});
