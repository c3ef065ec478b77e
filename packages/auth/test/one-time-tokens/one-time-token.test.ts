import { describe, expect, it } from 'vitest';
import {
  assertPurpose,
  generateOneTimeToken,
  isOneTimeToken,
} from '../../src/one-time-tokens/one-time-token.ts';

describe('a one-time token', () => {
  it('is 32 random bytes in the one spelling that URLs and mails leave alone', () => {
    const tokens = new Set(Array.from({ length: 100 }, generateOneTimeToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) {
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      expect(encodeURIComponent(token)).toBe(token);
      expect(isOneTimeToken(token)).toBe(true);
    }
  });

  const token = 'ab'.repeat(32);
  it.each([
    token.toUpperCase(),
    ` ${token}`,
    `${token}\n`,
    token.slice(1),
    `${token}0`,
    '',
    [token],
    null,
    1,
  ])('is no other text, and nothing but text: %j', (value) => {
    expect(isOneTimeToken(value)).toBe(false);
  });
});

describe('a purpose', () => {
  it.each(['a', 'password_reset', 'p2', `p${'_'.repeat(63)}`])('may be %s', (purpose) => {
    expect(() => assertPurpose(purpose)).not.toThrow();
  });

  it.each(['', 'Reset', '2fa', '_x', 'password-reset', 'reset ', 'p'.repeat(65), undefined, ['a']])(
    'is a TypeError otherwise: %j',
    (purpose) => {
      expect(() => assertPurpose(purpose)).toThrow(TypeError);
    },
  );
});
