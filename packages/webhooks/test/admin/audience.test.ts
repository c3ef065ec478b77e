import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { words } from '../../../toolkit/test/words.ts';
import { answerFor, customersInput, isFor, isShownTo } from '../../src/admin/audience.ts';
import { documented } from '../../src/admin/open-api/documentation.ts';
import { ROUTES } from '../../src/admin/routes/routes.ts';

const hidden = () => documented(z.string().optional(), { audience: 'administrators' });
const item = z.strictObject({ name: z.string(), owner: hidden() });
const answer = z.strictObject({
  items: z.array(item),
  first: item.nullable(),
  last: item.optional(),
  owner: hidden(),
  payload: z.looseObject({}),
  headers: z.record(z.string(), z.string()),
});

describe('what is for administrators', () => {
  it('is left out of the answers of customers wherever it is, and of no other', () => {
    const one = { name: 'a', owner: 'o' };
    const rest = { payload: { owner: 'theirs' }, headers: { owner: 'theirs' } };
    const given = { items: [one, one], first: one, last: one, owner: 'o', ...rest };
    const shown = { name: 'a' };
    expect(answerFor('customers', answer, given, true)).toEqual({
      items: [shown, shown],
      first: shown,
      last: shown,
      ...rest,
    });
    expect(answerFor('administrators', answer, given, true)).toBe(given);
    expect(answerFor('customers', answer, { ...given, first: null }, true)).toMatchObject({ first: null });
  });

  it('is left out as well where a member is not in the schema', () => {
    expect(answerFor('customers', item, { name: 'a', secret: 's' }, true)).toEqual({ name: 'a' });
  });

  it('cannot hide where nobody looks', () => {
    const union = z.strictObject({ either: z.union([item, z.string()]) });
    expect(() => answerFor('customers', union, { either: { name: 'a', owner: 'o' } }, true)).toThrow(
      TypeError,
    );
    expect(answerFor('customers', union, { either: 'text' }, true)).toEqual({ either: 'text' });
  });

  it('is an unknown field of an input, and everything else stays', () => {
    for (const input of [item, item.optional()]) {
      const theirs = customersInput<z.ZodType>(input);
      expect(theirs.safeParse({ name: 'a' }).success).toBe(true);
      expect(theirs.safeParse({ name: 'a', owner: 'o' }).error?.issues).toMatchObject([
        { code: 'unrecognized_keys', keys: ['owner'] },
      ]);
      expect(theirs.safeParse(undefined).success).toBe(input.safeParse(undefined).success);
    }
    const plain = z.strictObject({ name: z.string() });
    expect(customersInput(plain)).toBe(plain);
  });

  it('is said of a route as of a field', () => {
    expect([isFor('customers', { audience: 'administrators' }), isFor('customers', {})]).toEqual([
      false,
      true,
    ]);
    expect(isFor('administrators', { audience: 'administrators' })).toBe(true);
  });

  it('is found in every answer of the API by looking into its schema', () => {
    const found = new Set<string>();
    const look = (schema: unknown, at: string, isSeen: boolean): void => {
      if (schema instanceof z.ZodObject) {
        for (const [name, field] of Object.entries(schema.shape)) {
          if (!isShownTo('customers', field)) found.add(isSeen ? name : `${at} hides ${name}`);
          look(field, `${at}.${name}`, isSeen);
        }
      } else if (schema instanceof z.ZodArray) look(schema.element, at, isSeen);
      else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
        look(schema.unwrap(), at, isSeen);
      else if (schema instanceof z.ZodUnion) for (const option of schema.options) look(option, at, false);
    };
    for (const route of ROUTES) look(route.answer, route.name, true);
    expect([...found].sort()).toEqual(
      words(`
      concurrency created_by created_by_name created_by_uid id others tenant
    `),
    );
  });
});
