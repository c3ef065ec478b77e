import { describe, expect, it } from 'vitest';
import { assertPurpose } from '../../src/one-time-tokens/one-time-token.ts';

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
