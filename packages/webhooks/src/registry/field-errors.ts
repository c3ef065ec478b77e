import type { z } from 'zod';
import { type FieldError, WebhookError } from '../errors.ts';
import { fieldPath } from '../events/field-path.ts';
import { fieldMessage } from './field-message.ts';

type Issue = z.core.$ZodIssue;

/**
 * Validates an input and returns the parsed value.
 *
 * @throws WebhookError `validation_failed` with one entry per refused field
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  // Only the input in an issue distinguishes a missing field from one of a wrong type.
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw new WebhookError('validation_failed', 'The input has fields that are not valid', {
    errors: onePerField(result.error.issues),
  });
}

/** The first error of each field: zod also checks the length of a value of a wrong type. */
function onePerField(issues: readonly Issue[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const issue of issues) {
    for (const error of fieldErrors(issue)) {
      if (byField.size === MAX_REPORTED_ERRORS) return [...byField.values()];
      if (!byField.has(error.field)) byField.set(error.field, error);
    }
  }
  return [...byField.values()];
}

/** The most refused fields that an error lists. */
const MAX_REPORTED_ERRORS = 20;

function fieldErrors(issue: Issue): FieldError[] {
  const path = fieldPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_REPORTED_ERRORS).map((key) => ({
      field: fieldPath([...issue.path, key.slice(0, 100)]),
      code: 'unknown_field',
      message: 'is not a field of this input',
    }));
  }
  const bound = issue.code === 'too_big' ? { max: Number(issue.maximum) } : {};
  return [{ field: path, code: errorCode(issue), message: fieldMessage(issue), ...bound }];
}

/** The public codes of zod's issues. Any other issue is an `invalid_value`. */
const CODES: Readonly<Partial<Record<Issue['code'], string>>> = {
  invalid_type: 'invalid_type',
  too_small: 'too_small',
  too_big: 'too_big',
};

function errorCode(issue: Issue): string {
  if (issue.code === 'custom') {
    const code: unknown = issue.params?.code;
    return typeof code === 'string' ? code : 'invalid_value';
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'required';
  return CODES[issue.code] ?? 'invalid_value';
}
