import type { z } from 'zod';
import { parseInput } from './field-errors.ts';

type InputSchemas = typeof import('./input-schemas.ts');

/**
 * Validates the input of an operation, as it is at the call, and returns the parsed value.
 *
 * The first call loads the schemas and zod, because zod was a quarter of the time that the import
 * of the package took, and a process that only dispatches needs neither (`bench/imports.ts`).
 * `zod/mini` takes as long to import, and bundlers do not see a `createRequire`.
 *
 * @throws WebhookError `validation_failed` with one entry per refused field
 */
export async function readInput<Schema extends z.ZodType>(
  select: (schemas: InputSchemas) => Schema,
  input: unknown,
): Promise<z.output<Schema>> {
  const given = inputAtCall(input);
  return parseInput(select(await import('./input-schemas.ts')), given);
}

/**
 * Copies an input with its lists and dates, so that changes which its caller makes later do not
 * matter. An operation calls it before its first `await`.
 */
export function inputAtCall<Input>(input: Input): Input {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const copied = { ...input };
  for (const key of Object.keys(copied) as (keyof Input)[]) {
    const value: unknown = copied[key];
    if (Array.isArray(value)) Object.assign(copied, { [key]: [...value] });
    else if (value instanceof Date) Object.assign(copied, { [key]: new Date(value) });
  }
  return copied;
}

type Given<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

/** The fields that an input has, without those that it leaves undefined. */
export function givenOf<Fields extends object>(fields: Fields): Given<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Fields>;
}
