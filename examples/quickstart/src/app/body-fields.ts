import { Problem } from './problem.ts';

/**
 * Reads a text from a JSON body.
 *
 * @throws Problem 422 unless it has 1 to `maxLength` characters, none of them U+0000
 */
export function textField(body: unknown, name: string, maxLength: number): string {
  const value = fieldOf(body, name);
  // SQLite's drivers cut text at U+0000, and PostgreSQL refuses it.
  const isText = typeof value === 'string' && !value.includes('\u0000');
  if (isText && value.length >= 1 && value.length <= maxLength) return value;
  throw new Problem(422, 'validation_failed', `${name} must be text of 1 to ${maxLength} characters.`);
}

/**
 * Reads a whole number from a JSON body.
 *
 * @throws Problem 422 unless it is between 1 and `max`
 */
export function countField(body: unknown, name: string, max: number): number {
  const value = fieldOf(body, name);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Problem(422, 'validation_failed', `${name} must be a whole number from 1 to ${max}.`);
}

function fieldOf(body: unknown, name: string): unknown {
  const isObject = typeof body === 'object' && body !== null;
  return isObject ? new Map<string, unknown>(Object.entries(body)).get(name) : undefined;
}
