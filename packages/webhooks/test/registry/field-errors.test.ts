import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../src/registry/field-errors.ts';
import { createInput } from '../../src/registry/input-schemas.ts';

function errorsOf(schema: z.ZodType, input: unknown): unknown {
  try {
    return parseInput(schema, input);
  } catch (error) {
    return (error as { readonly errors: unknown }).errors;
  }
}

describe('the errors of a refused input', () => {
  it('are one per field, also where a value of a wrong type has a length', () => {
    const input = { url: 'https://example.com/', events: { length: 1e9 } };
    expect(errorsOf(createInput, input)).toEqual([
      { field: 'events', code: 'invalid_type', message: 'must be an array' },
    ]);
    const schema = z.strictObject({ name: z.string().max(2).regex(/^a/), size: z.int().max(3) });
    expect(errorsOf(schema, { name: 'bcd', size: 4 })).toEqual([
      { field: 'name', code: 'too_big', message: 'must have at most 2 characters', max: 2 },
      { field: 'size', code: 'too_big', message: 'must be at most 3', max: 3 },
    ]);
  });

  it('name each unknown field, and at most twenty fields in all', () => {
    const input = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]));
    expect(errorsOf(z.strictObject({}), { a: 1, b: 2 })).toEqual(
      ['a', 'b'].map((field) => ({ field, code: 'unknown_field', message: 'is not a field of this input' })),
    );
    expect(errorsOf(z.strictObject({ a: z.string() }), input)).toHaveLength(20);
  });
});
