import { expect, it } from 'vitest';
import { attemptsBusy, lockedOut } from '../../src/throttle/throttle-refusals.ts';

it('tells a locked log-in when its window ends, and a busy one when all others have ended', () => {
  expect(lockedOut(17)).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 17 });
  expect(attemptsBusy()).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 30 });
  expect(lockedOut(17).message).not.toBe(attemptsBusy().message);
});
