import { expect, it } from 'vitest';
import { lockedOut, loginsBusy } from '../../../src/sessions/login-throttle/login-refusals.ts';

it('tells a locked log-in when its window ends, and a busy one when all others have ended', () => {
  expect(lockedOut(17)).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 17 });
  expect(loginsBusy()).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 30 });
  expect(lockedOut(17).message).not.toBe(loginsBusy().message);
});
