import type { z } from 'zod';

/** What zod expects, in words. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/**
 * Says what a refused field must be, without the value that it had. The words are ours for every
 * kind of issue: those of zod change with its version and its locale, which belongs to the host. A
 * message at every check of every schema would be forgotten at one.
 */
export function fieldMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
    case 'invalid_union':
      // Each of our own checks and unions says what it asks for.
      return issue.message;
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${EXPECTED[issue.expected] ?? 'of another type'}`;
    case 'too_big':
      return bounded(issue.origin, 'at most', issue.maximum);
    case 'too_small':
      return bounded(issue.origin, 'at least', issue.minimum);
    case 'invalid_value':
      return `must be ${listed(issue.values.map(String))}`;
    default:
      return 'is not valid';
  }
}

/** What the bound of an origin counts; a number has no unit. */
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function bounded(origin: string, side: 'at most' | 'at least', bound: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${side} ${bound}`;
  return `must have ${side} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}

function listed(values: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(values);
}
