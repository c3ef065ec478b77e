import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../../src/admin/routes/route.ts';
import { ROUTES } from '../../../src/admin/routes/routes.ts';
import { parseInput } from '../../../src/registry/field-errors.ts';
import * as inputs from '../../../src/registry/input-schemas.ts';
import { HOOK_URL, startAdmin } from '../admin-harness.ts';

const TEXTS = [
  '',
  'x',
  '-1',
  '1.5',
  '1e3',
  '0',
  '101',
  '1000001',
  '9'.repeat(16),
  'x'.repeat(3_000),
  'a\u0000b',
];
const VALUES = [
  null,
  7,
  1.5,
  -1,
  true,
  'x',
  '',
  'x'.repeat(3_000),
  'a\u0000b',
  {},
  [],
  [7],
  ['user'],
  ['*', null],
];
const PATTERNS = Array.from({ length: 101 }, (_, n) => `e${n}.*`);

/** Our words begin a sentence whose subject is the field, or are one about the URL or its host. */
const OURS = /^(is required$|is not a |must (be|have|not contain) |The (URL|host|host name) )/;
const ZODS = /invalid|expected|received|too (big|small)|unrecognized/i;

function expectOurs(message: string): void {
  expect(message).toMatch(OURS);
  expect(message).not.toMatch(ZODS);
}

interface FieldError {
  readonly message: string;
}

function fieldsOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Everything wrong that a client may send to a route, one mistake at a time. */
function mistakesAt({ query, body }: Route): { search: string; body: unknown }[] {
  const needed = 'url' in (body instanceof z.ZodObject ? body.shape : {}) ? { url: HOOK_URL } : {};
  const search = [...fieldsOf(query), 'unknown'].flatMap((name) =>
    TEXTS.map((text) => ({ search: `?${new URLSearchParams({ [name]: text })}`, body: needed })),
  );
  const bodies = [...fieldsOf(body), 'unknown'].flatMap((name) =>
    [...VALUES, PATTERNS].map((value) => ({ search: '', body: { ...needed, [name]: value } })),
  );
  return [...search, ...bodies, ...[{}, null, [], 'text', 7].map((whole) => ({ search: '', body: whole }))];
}

describe('the messages about refused fields', () => {
  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'are in our own words at %s',
    async (_, route) => {
      const { call } = startAdmin();
      await call('POST', '', { body: { url: HOOK_URL } });
      const path = route.path
        .replace('{id}', '1')
        .replace('{delivery_id}', 'a'.repeat(32))
        .replace('{name}', 'user.created');
      let refused = 0;
      for (const { search, body } of mistakesAt(route)) {
        const options = route.method === 'GET' ? {} : { body };
        const { json } = await call(route.method, path + search, options);
        for (const { message } of (json?.errors ?? []) as FieldError[]) {
          expectOurs(message);
          refused += 1;
        }
      }
      expect(refused).toBeGreaterThanOrEqual(TEXTS.length);
    },
    30_000,
  );

  it('are in our own words for the inputs of the engine', () => {
    const schemas = Object.values(inputs).filter((value) => value instanceof z.ZodObject);
    expect(schemas.length).toBeGreaterThan(4);
    for (const schema of schemas) {
      for (const name of [...fieldsOf(schema), 'unknown']) {
        for (const value of [undefined, ...VALUES, PATTERNS]) {
          for (const message of messagesOf(schema, { [name]: value })) expectOurs(message);
        }
      }
    }
  });
});

function messagesOf(schema: z.ZodType, input: unknown): string[] {
  try {
    parseInput(schema, input);
    return [];
  } catch (error) {
    return (error as { readonly errors: readonly FieldError[] }).errors.map(({ message }) => message);
  }
}
