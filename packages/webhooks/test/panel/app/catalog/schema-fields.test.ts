import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEvents, eventSchemas } from '../../../../src/events/index.ts';
import { fieldsOf, MAX_FIELDS } from '../../../../src/panel/app/catalog/schema-fields.ts';

const Folder = z.object({
  name: z.string(),
  get parent() {
    return Folder.nullable();
  },
});

function fieldsOfEvent(payload: z.ZodType<object>) {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = eventSchemas(
    defineEvents({ 'order.paid': { label: 'Order paid', payload } }),
  );
  return fieldsOf({ ...schemas['order.paid'] }).fields;
}

describe('fieldsOf', () => {
  it('lists fields before those within them, with type, format, bounds and values', () => {
    const fields = fieldsOfEvent(
      z.object({
        id: z.uuid(),
        total: z.int().min(0).describe('In cents'),
        currency: z.enum(['EUR', 'USD']).optional(),
        lines: z.array(z.object({ sku: z.string().max(40) })),
        buyer: z.object({ mail: z.email() }).nullable(),
      }),
    );
    expect(fields.map(({ path, depth, type, isRequired }) => [path, depth, type, isRequired])).toEqual([
      ['type', 0, 'string', true],
      ['timestamp', 0, 'string', true],
      ['data', 0, 'object', true],
      ['data.id', 1, 'string', true],
      ['data.total', 1, 'integer', true],
      ['data.currency', 1, 'string', false],
      ['data.lines', 1, 'object[]', true],
      ['data.lines[].sku', 2, 'string', true],
      ['data.buyer', 1, 'object | null', true],
      ['data.buyer.mail', 2, 'string', true],
    ]);
    const of = (path: string) => fields.find((field) => field.path === path);
    expect(of('type')).toMatchObject({ values: ['"order.paid"'] });
    expect(of('data.id')).toMatchObject({ format: 'uuid', bounds: [] });
    expect(of('data.total')).toMatchObject({ description: 'In cents', bounds: [['minimum', '0']] });
    expect(of('data.currency')).toMatchObject({ values: ['"EUR"', '"USD"'] });
    expect(of('data.lines[].sku')).toMatchObject({ bounds: [['maxLength', '40']] });
  });

  it('enters a schema within itself once', () => {
    const paths = fieldsOfEvent(z.object({ folder: Folder })).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('data.folder'))).toEqual([
      'data.folder',
      'data.folder.name',
      'data.folder.parent',
    ]);
  });

  it('ends after as many fields as a page can show', () => {
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, { type: 'string' }]));
    const { fields, isWhole } = fieldsOf({ properties: wide });
    expect([fields.length, isWhole]).toEqual([MAX_FIELDS, false]);
    let deep: object = { type: 'string' };
    for (let n = 0; n < 100; n += 1) deep = { type: 'object', properties: { in: deep } };
    expect(fieldsOf({ ...deep })).toMatchObject({ isWhole: false });
  });
});
