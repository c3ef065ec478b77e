import { describe, expect, it } from 'vitest';
import { generateId } from '../../src/tokens/random-id.ts';
import { generateRefreshToken, hashToken, isRefreshToken } from '../../src/tokens/refresh-token.ts';

describe('random texts', () => {
  it('have the documented form and do not repeat', () => {
    const ids = new Set(Array.from({ length: 1000 }, generateId));
    const tokens = new Set(Array.from({ length: 1000 }, generateRefreshToken));
    expect([ids.size, tokens.size]).toEqual([1000, 1000]);
    expect([...ids].every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    expect([...tokens].every(isRefreshToken)).toBe(true);
  });
});

describe('hashToken', () => {
  it('is the SHA-256 of the text, in hex', () => {
    // FIPS 180-2, appendix B.1.
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('isRefreshToken', () => {
  it.each([
    undefined,
    null,
    '',
    'a'.repeat(63),
    'a'.repeat(65),
    'A'.repeat(64),
    `${'a'.repeat(64)}\n`,
    'g'.repeat(64),
  ])('refuses %j', (value) => {
    expect(isRefreshToken(value)).toBe(false);
  });
});
