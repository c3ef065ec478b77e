import openapiTS, { astToString } from 'openapi-typescript';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { BUILT_IN_EVENTS, defineEvents } from '../../src/events/catalog.ts';
import { eventSchemas, placedSchema } from '../../src/events/event-schemas.ts';
import type { PayloadSchema } from '../../src/events/payload-schema.ts';
import { schemaOf } from './order-schemas.ts';

const ANY_OBJECT = { type: 'object', additionalProperties: true };

/** The schema of `data` for one payload schema. */
function dataOf(payload: PayloadSchema): unknown {
  const schemas = eventSchemas(defineEvents({ 'order.created': { label: 'Order placed', payload } }));
  return (schemas['order.created'].properties as { data: unknown }).data;
}

describe('the JSON Schemas of events', () => {
  it('describe the whole body of every known event', () => {
    const schemas = eventSchemas(
      defineEvents({
        'order.created': { label: 'Order placed', payload: z.object({ id: z.int().min(1).max(9) }) },
        'user.created': { label: 'New colleague' },
      }),
    );
    const builtIn = BUILT_IN_EVENTS.map(({ name }) => name).filter((name) => name !== 'webhook.test');
    expect(Object.keys(schemas)).toEqual([...builtIn, 'order.created', 'webhook.test']);
    expect(schemas['order.created']).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      description: 'Order placed',
      type: 'object',
      properties: {
        type: { type: 'string', const: 'order.created' },
        timestamp: { type: 'string', format: 'date-time', description: 'When the delivery was created.' },
        data: {
          type: 'object',
          properties: { id: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['id'],
          additionalProperties: false,
        },
      },
      required: ['type', 'timestamp', 'data'],
    });
    expect(schemas['user.created']).toMatchObject({
      description: 'New colleague',
      properties: { type: { const: 'user.created' }, data: ANY_OBJECT },
    });
    expect(Object.keys(eventSchemas())).toEqual(BUILT_IN_EVENTS.map(({ name }) => name));
  });

  it('leave out the built-in events that the choice leaves out, also as types', () => {
    const events = defineEvents({ 'order.created': { label: 'Order placed' } });
    const some = eventSchemas(events, { builtInEvents: ['user.created'] });
    expect(Object.keys(some)).toEqual(['user.created', 'order.created', 'webhook.test']);
    expectTypeOf<keyof typeof some>().toEqualTypeOf<'user.created' | 'webhook.test' | 'order.created'>();
    const none = eventSchemas(events, { builtInEvents: false });
    expect(Object.keys(none)).toEqual(['order.created', 'webhook.test']);
    expectTypeOf<keyof typeof none>().toEqualTypeOf<'webhook.test' | 'order.created'>();
    const all = eventSchemas(events, { builtInEvents: true });
    expectTypeOf(all).toEqualTypeOf(eventSchemas(events));
    // @ts-expect-error: no built-in event
    expect(() => eventSchemas(events, { builtInEvents: ['order.created'] })).toThrow('builtInEvents');
  });

  it('describe what is sent, not what is taken in', () => {
    const payload = z.object({
      note: z.string().default(''),
      at: z.date(),
      until: z.date().optional(),
      size: z.string().transform((text) => text.length),
    });
    expect(dataOf(payload)).toEqual({
      type: 'object',
      properties: {
        note: { type: 'string', default: '' },
        at: { type: 'string', format: 'date-time' },
        until: { type: 'string', format: 'date-time' },
        size: {},
      },
      required: expect.arrayContaining(['note', 'at']),
      additionalProperties: false,
    });
  });

  it.each<[string, PayloadSchema]>([
    ['offers no JSON Schema', v.object({ id: v.number() })],
    ['is written by hand', schemaOf((value) => ({ value: value as object }))],
    [
      'throws',
      offering(() => {
        throw new Error('cannot be expressed');
      }),
    ],
    ['answers no schema', offering(() => true)],
  ])('promise any object where the library %s', (_, payload) => {
    expect(dataOf(payload)).toEqual(ANY_OBJECT);
  });

  it('ask any library for the output in draft 2020-12', () => {
    const asked: unknown[] = [];
    const payload = offering((options) => {
      asked.push(options);
      return { type: 'object', minProperties: 1 };
    });
    expect(dataOf(payload)).toEqual({ type: 'object', minProperties: 1 });
    expect(asked).toEqual([{ target: 'draft-2020-12' }]);
  });

  it('refer to themselves where they stand', () => {
    const Tree = z.object({
      get children() {
        return z.array(Tree);
      },
    });
    const Part = z.object({
      $ref: z.literal('#'),
      size: z.looseObject({}).default({ $ref: '#/size' }),
      get parts() {
        return z.array(Part);
      },
    });
    const events = defineEvents({
      'tree.grown': { label: 'Tree', payload: Tree },
      'order.created': { label: 'Order', payload: z.object({ part: Part }) },
    });
    expect(eventSchemas(events)['tree.grown']).toMatchObject({
      properties: { data: { properties: { children: { items: { $ref: '#/properties/data' } } } } },
    });
    const placed = Object.fromEntries(
      Object.entries(eventSchemas(events)).map(([event, schema]) => [
        event,
        placedSchema(schema, `#/components/schemas/${event}`),
      ]),
    );
    expect(placed['tree.grown']).not.toHaveProperty('$schema');
    expect(placed['tree.grown']).toMatchObject({
      properties: {
        data: {
          properties: { children: { items: { $ref: '#/components/schemas/tree.grown/properties/data' } } },
        },
      },
    });
    const $ref = '#/components/schemas/order.created/properties/data/$defs/__schema0';
    expect(placed['order.created']).toMatchObject({
      properties: {
        data: {
          properties: { part: { $ref } },
          $defs: {
            __schema0: {
              properties: {
                $ref: { const: '#' },
                size: { default: { $ref: '#/size' } },
                parts: { items: { $ref } },
              },
            },
          },
        },
      },
    });
  });

  it('spell out what zod would refer to by an id, and keep its other metadata', () => {
    const Address = z.object({ city: z.string() }).meta({ id: 'Address', description: 'Where to' });
    const address = {
      type: 'object',
      description: 'Where to',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(dataOf(z.object({ from: Address, to: Address }))).toEqual({
      type: 'object',
      properties: { from: address, to: address },
      required: ['from', 'to'],
      additionalProperties: false,
    });
    expect(dataOf(Address)).toEqual(address);
  });

  it('become TypeScript types in an OpenAPI document', async () => {
    const events = defineEvents({
      'order.created': {
        label: 'Order placed',
        payload: z.object({
          id: z.int(),
          note: z.string().optional(),
          items: z.array(z.object({ sku: z.string() })),
        }),
      },
    });
    const schemas = eventSchemas(events);
    const names = ['order.created', 'user.created'] as const;
    const document = {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {},
      components: { schemas: Object.fromEntries(names.map((name) => [name, schemas[name]])) },
      webhooks: Object.fromEntries(
        names.map((name) => {
          const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
          return [name, { post: { requestBody: { content }, responses: { 204: { description: 'Taken' } } } }];
        }),
      ),
    };
    const types = astToString(await openapiTS(JSON.stringify(document)))
      .replace(/\s*\/\*\*[\s\S]*?\*\//g, '')
      .replace(/\s+/g, ' ');
    expect(types).toContain('"application/json": components["schemas"]["order.created"];');
    expect(types).toContain(
      '"order.created": { type: "order.created"; timestamp: string; ' +
        'data: { id: number; note?: string; items: { sku: string; }[]; }; };',
    );
    expect(types).toContain(
      '"user.created": { type: "user.created"; timestamp: string; data: { [key: string]: unknown; }; };',
    );
  });
});

/** A schema of a library that offers JSON Schema through the standard interface. */
function offering(output: (options: unknown) => unknown): PayloadSchema {
  const { '~standard': standard } = schemaOf((value) => ({ value: value as object }));
  return { '~standard': { ...standard, jsonSchema: { input: output, output } } } as PayloadSchema;
}
