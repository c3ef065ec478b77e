import fc from 'fast-check';
import { describe, it } from 'vitest';
import { isEventPattern } from '../../../../src/events/pattern.ts';
import { patternProblem } from '../../../../src/panel/app/form/event-pattern.ts';

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
});
