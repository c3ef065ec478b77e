import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import { logInMessage } from '../../../../src/panel/app/log-in/log-in-message.ts';

describe('the message of a refused log-in', () => {
  inOneTest([
    [0, 'Try again shortly.'],
    [1, 'Try again in 1 second.'],
    [1_001, 'Try again in 2 seconds.'],
    [89_000, 'Try again in 89 seconds.'],
    [90_000, 'Try again in 2 minutes.'],
    [890_000, 'Try again in 15 minutes.'],
    [3_600_000, 'Try again in 60 minutes.'],
    [5_340_001, 'Try again in 2 hours.'],
    [86_400_000, 'Try again in 24 hours.'],
    [172_800_000, 'Try again in 2 days.'],
  ])('says when %i ms will be over', (waitMs, text) => {
    expect(logInMessage({ kind: 'throttled', waitMs })).toEqual({ title: 'Too many attempts', text });
    expect(logInMessage({ kind: 'busy', waitMs }).text).toBe(`The server is busy. ${text}`);
  });

  it('tells a wrong log-in from what the visitor cannot help', () => {
    const titles = (['wrong', 'cross-site', 'unreachable', 'unexpected'] as const).map(
      (kind) => logInMessage({ kind }).title,
    );
    const other = 'You cannot log in at present';
    expect(titles).toEqual(['The user name or the password is wrong', other, other, other]);
  });
});
