import type { z } from 'zod';
import { parseInput } from './field-errors.ts';

type InputSchemas = typeof import('./input-schemas.ts');

/**
 * Validates the input of an operation and returns the parsed value. The first call loads the
 * schemas and zod: a process that only dispatches needs neither.
 *
 * @throws WebhookError `validation_failed` with one entry per refused field
 */
export async function readInput<Schema extends z.ZodType>(
  select: (schemas: InputSchemas) => Schema,
  input: unknown,
): Promise<z.output<Schema>> {
  return parseInput(select(await import('./input-schemas.ts')), input);
}
