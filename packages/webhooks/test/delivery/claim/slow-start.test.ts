import { expect, test } from 'vitest';
import type { AttemptEnd } from '../../../src/delivery/claim/attempt-end.ts';
import { limitAfter } from '../../../src/delivery/claim/slow-start.ts';

const SUCCESS: AttemptEnd = { isSuccess: true, isAnswered: true, isTimeout: false };
const FAILURE: AttemptEnd = { isSuccess: false, isAnswered: true, isTimeout: false };
const TIMEOUT: AttemptEnd = { isSuccess: false, isAnswered: false, isTimeout: true };

test.each([
  ['a success doubles', SUCCESS, 4, 8],
  ['a success raises, no higher than the maximum,', SUCCESS, 8, 10],
  ['a success leaves, at the maximum,', SUCCESS, 10, 10],
  ['a failure that is no timeout leaves', FAILURE, 4, 4],
  ['a timeout sets to one', TIMEOUT, 10, 1],
])('%s the limit of a webhook', (_, end, before, after) => {
  expect(limitAfter(before, end, 10)).toBe(after);
});
