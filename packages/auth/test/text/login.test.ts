import { describe, expect, it } from 'vitest';
import { isPossibleLogin, isVisibleLogin, readLogin } from '../../src/text/login.ts';

describe('a login', () => {
  it('has at most 256 characters', () => {
    const [longest, tooLong] = ['x'.repeat(256), 'x'.repeat(257)];
    expect([isPossibleLogin(longest), isVisibleLogin(longest)]).toEqual([true, true]);
    expect([isPossibleLogin(tooLong), isVisibleLogin(tooLong)]).toEqual([false, false]);
  });

  it.each(['', 'a\0', '\uD800', 'a\u200Bda'])('is possible: %j', (login) => {
    expect(isPossibleLogin(login)).toBe(true);
  });

  it.each([undefined, null, 7, ['ada'], new String('ada')])(
    'is neither possible nor visible: %j',
    (login) => {
      expect([isPossibleLogin(login), isVisibleLogin(login)]).toEqual([false, false]);
    },
  );

  it.each(['ada', 'Ada Lovelace', 'ada@example.com', '艾达', '\u{1F600}'])(
    'is visible, and read as it is: %j',
    (login) => {
      expect([isVisibleLogin(login), readLogin(login)]).toEqual([true, login]);
    },
  );

  it.each([
    '',
    'a\0',
    'a\n',
    'a\u007F',
    'a\u200Bda',
    'a\u00ADda',
    'a\u2028',
    'a\u2029',
    'a\u202Eda',
    'a\u2066da',
    '\uD800',
    'a\uDE00',
  ])('is invisible, and refused: %j', (login) => {
    expect(isVisibleLogin(login)).toBe(false);
    expect(() => readLogin(login)).toThrow(expect.objectContaining({ code: 'login_invalid' }));
  });
});
