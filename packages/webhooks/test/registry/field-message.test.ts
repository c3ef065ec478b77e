import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { fieldMessage } from '../../src/registry/field-message.ts';

describe('the message about a refused field', () => {
  inOneTest<[string, z.ZodType, unknown, string]>([
    ['a missing field', z.string(), undefined, 'is required'],
    ['a wrong type', z.string(), 7, 'must be text'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['a flag', z.boolean(), 'true', 'must be true or false'],
    ['an array', z.array(z.string()), 'x', 'must be an array'],
    ['an object', z.strictObject({}), [], 'must be an object'],
    ['a long text', z.string().max(3), 'four', 'must have at most 3 characters'],
    ['an empty text', z.string().min(1), '', 'must have at least 1 character'],
    ['a short list', z.array(z.string()).min(1), [], 'must have at least 1 item'],
    ['a large number', z.int().max(100), 101, 'must be at most 100'],
    ['a text that is too long by one', z.string().max(1), 'ab', 'must have at most 1 character'],
    ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
    ['a check of our own', z.string().refine(() => false, 'must be ours'), 'x', 'must be ours'],
    ['a choice', z.enum(['a', 'b', 'c']), 'd', 'must be a, b, or c'],
    ['what has no words yet', z.email(), 'x', 'is not valid'],
  ])('says of %s what it must be', (_, schema, value, message) => {
    const { error } = schema.safeParse(value, { reportInput: true });
    expect(error?.issues.map(fieldMessage)).toEqual([message]);
  });

  it('never repeats what was given, and is the same in every locale of zod', () => {
    const { error } = z.int().safeParse('a secret', { reportInput: true, error: ({ input }) => `${input}?` });
    expect(error?.issues.map(fieldMessage)).toEqual(['must be a number']);
  });
});
