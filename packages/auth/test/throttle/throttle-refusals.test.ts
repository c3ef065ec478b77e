import { expect, it } from 'vitest';
import { attemptsBusy, isBusy, isLocked, lockedOut } from '../../src/throttle/throttle-refusals.ts';

it('tells a locked log-in when its window ends, and a busy one to come back at once', () => {
  expect(lockedOut(17)).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 17 });
  expect(attemptsBusy()).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 1 });
  expect(lockedOut(17).message).not.toBe(attemptsBusy().message);
});

it('locks by failures alone, and is busy with those under way as well', () => {
  const tally = { key: 'a', limit: 3 };
  const judged = [
    { failures: 2, underWay: 1 },
    { failures: 2, underWay: 2 },
    { failures: 3, underWay: 1 },
    undefined,
  ].map((counts) => [isLocked(tally, counts), isBusy(tally, counts)]);
  expect(judged).toEqual([
    [false, false],
    [false, true],
    [true, true],
    [false, false],
  ]);
});
