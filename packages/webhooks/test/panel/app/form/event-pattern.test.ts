import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEventPattern, matchesPattern } from '../../../../src/events/pattern.ts';
import { patternProblem, selects, wildcardOf } from '../../../../src/panel/app/form/event-pattern.ts';

const SEGMENT = fc.stringMatching(/^[a-zA-Z0-9_-]{1,9}$/);
const NAME = fc.array(SEGMENT, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
/** Patterns, names, and what people type instead. */
const TYPED = fc.oneof(
  fc.constantFrom('*', '', '.', '.*', '**', 'order', 'order.', '*.created', 'a..b', 'a.*.b', 'é.ü', 'a.b '),
  NAME,
  NAME.map((name) => `${name}.*`),
  NAME.map((name) => `${name}.${'x'.repeat(126)}`),
  fc.string({ maxLength: 140 }),
);

describe('the check of a pattern while it is typed', () => {
  it('agrees with the server on what is a pattern', () => {
    fc.assert(fc.property(TYPED, (text) => (patternProblem(text) === null) === isEventPattern(text)));
  });

  it('agrees with the server on what a pattern selects', () => {
    const known = NAME.filter((name) => name.includes('.'));
    fc.assert(
      fc.property(known, known, (name, other) => {
        for (const pattern of ['*', wildcardOf(name), name, `${name}.*`]) {
          expect(selects(pattern, other)).toBe(matchesPattern(pattern, other));
          expect(selects(pattern, name)).toBe(matchesPattern(pattern, name));
        }
      }),
    );
  });
});
