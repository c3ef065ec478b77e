import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { defineEvents, eventSchemas } from '../../../../src/events/index.ts';
import { typeScriptOf } from '../../../../src/panel/app/catalog/schema-typescript.ts';

type Tree = { name: string; children: Tree[] };
const Tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(Tree) }));

function generated(payload: z.ZodType<object>, event = 'order.paid'): string {
  const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = eventSchemas(
    defineEvents({ [event]: { label: 'Order paid', payload } }),
  );
  return typeScriptOf(event, { ...schemas[event] });
}

/** The declarations of the language, parsed once. */
const declarations = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of a program; '' if nothing. */
function errorsOf(program: string): string {
  const name = 'generated.ts';
  const host = ts.createCompilerHost({});
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...rest) => {
    if (file === name) return ts.createSourceFile(file, program, ts.ScriptTarget.ES2022);
    if (!declarations.has(file)) declarations.set(file, getSourceFile(file, ...rest));
    return declarations.get(file);
  };
  const options = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([name], options, host));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n');
}

describe('typeScriptOf', () => {
  it('writes an interface of the whole body', () => {
    const payload = z.object({
      id: z.uuid(),
      total: z.number().min(0).describe('In cents */ of the currency'),
      currency: z.enum(['EUR', 'USD']),
      lines: z.array(z.object({ sku: z.string(), 'unit-price': z.int() })),
      note: z.string().nullable().optional(),
    });
    expect(generated(payload)).toBe(`/** Order paid */
export interface OrderPaid {
  type: "order.paid";
  /** When the delivery was created. */
  timestamp: string;
  data: {
    id: string;
    /** In cents *\\/ of the currency */
    total: number;
    currency: "EUR" | "USD";
    lines: {
      sku: string;
      "unit-price": number;
    }[];
    note?: string | null;
  };
}
`);
  });

  it('has the members of the schemas that one is composed of', () => {
    const data = { allOf: [{ $ref: '#/$defs/Base' }, { properties: { total: { type: 'number' } } }] };
    const Base = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const written = typeScriptOf('order.paid', { properties: { data }, $defs: { Base } });
    expect(written).toContain('data?: {\n    id: string;\n    total?: number;\n  };');
  });

  it('is a type where a body is no object of named members', () => {
    const choices = {
      anyOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'string' } } }],
    };
    expect(errorsOf(typeScriptOf('order.paid', choices))).toBe('');
    expect(errorsOf(typeScriptOf('order.paid', { type: 'object' }))).toBe('');
  });

  inOneTest<[string, z.ZodType<object>, unknown]>([
    ['unions', z.object({ by: z.union([z.string(), z.object({ id: z.int() })]) }), { by: { id: 1 } }],
    ['arrays of unions', z.object({ of: z.array(z.enum(['a', 'b|c'])) }), { of: ['a', 'b|c'] }],
    ['arrays of arrays', z.object({ of: z.array(z.array(z.int().nullable())) }), { of: [[1, null]] }],
    ['tuples', z.object({ at: z.tuple([z.string(), z.int()], z.boolean()) }), { at: ['x', 1, true] }],
    ['records', z.object({ of: z.record(z.string(), z.int()) }), { of: { a: 1 } }],
    ['anything', z.object({ of: z.unknown(), all: z.looseObject({}) }), { of: [1], all: { a: 'b' } }],
    ['intersections', z.object({ a: z.int() }).and(z.object({ b: z.string() })), { a: 1, b: 'x' }],
    ['itself inside', z.object({ root: Tree }), { root: { name: 'a', children: [] } }],
    [
      'literals',
      z.object({ on: z.literal(true), none: z.null(), one: z.literal([1, 'x']) }),
      { ...{ on: true, none: null, one: 'x' } },
    ],
  ])(
    'writes types that the compiler takes, and that fit a payload: %s',
    (_, payload, data) => {
      expect(payload.safeParse(data).success).toBe(true);
      const value = JSON.stringify({ type: 'order.paid', timestamp: '', data });
      expect(errorsOf(`${generated(payload)}export const value: OrderPaid = ${value};`)).toBe('');
      expect(errorsOf(`${generated(payload)}export const value: OrderPaid = { type: 'other' };`)).not.toBe(
        '',
      );
    },
    60_000,
  );

  it('names the interface by the event, whatever it begins with', () => {
    expect(generated(z.object({}), 'order_line.sub-item.paid')).toContain('interface OrderLineSubItemPaid {');
    expect(generated(z.object({}), '2fa.enabled')).toContain('interface Event2faEnabled {');
  });

  it('ends where a schema refers to itself or nowhere, and where it is too large', () => {
    const itself = { properties: { a: { $ref: '#/properties/a' }, b: { $ref: '#/%E0%A4%A' } } };
    expect(typeScriptOf('a.b', itself)).toContain('a?: unknown;\n  b?: unknown;');
    let deep: object = { type: 'string' };
    for (let n = 0; n < 100; n += 1) deep = { type: 'object', properties: { in: deep } };
    expect(typeScriptOf('a.b', { ...deep })).toContain('in?: unknown;');
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, { type: 'string' }]));
    expect(typeScriptOf('a.b', { properties: wide })).toContain('f1999?: unknown;');
  });
});
