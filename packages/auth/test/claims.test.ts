import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../toolkit/test/in-one-test.ts';
import { Claims, isClaims } from '../src/claims.ts';

describe('Claims', () => {
  it('is immutable, the scopes included, whatever happens to the array it was made from', () => {
    const scopes = ['admin'];
    const claims = new Claims({ uid: '1', scopes });
    scopes.push('root');
    expect(claims.scopes).toEqual(['admin']);
    expect(Object.isFrozen(claims) && Object.isFrozen(claims.scopes)).toBe(true);
  });

  it('is valid until the second it expires', () => {
    const claims = new Claims({ uid: '1', scopes: [], issuedAt: 1, expiresAt: 100 });
    expect(claims.isValid(99)).toBe(true);
    expect(claims.isValid(100)).toBe(false);
    expect(claims.isValid(Number.NaN)).toBe(false);
    expect(claims.isValid()).toBe(false);
  });

  it('does not expire with expiresAt 0', () => {
    expect(new Claims({ uid: '1', scopes: [] }).isValid()).toBe(true);
  });

  it('is told from anything that a client can send', () => {
    const claims = new Claims({ uid: '1', scopes: ['admin'] });
    expect(isClaims(claims)).toBe(true);
    const parsed: unknown = JSON.parse(JSON.stringify(claims));
    for (const value of [parsed, { ...claims }, { __proto__: null, uid: '1' }, '1', null, undefined]) {
      expect(isClaims(value)).toBe(false);
    }
  });

  it('says when the user logged in, if that is known', () => {
    expect(new Claims({ uid: '1', scopes: [] }).authTime).toBeUndefined();
    expect(new Claims({ uid: '1', scopes: [], authTime: 0 }).authTime).toBe(0);
    for (const authTime of [-1, 1.5, Number.NaN, '5', null, 253_402_300_800]) {
      expect(() => new Claims({ uid: '1', scopes: [], authTime: authTime as number })).toThrow(/^authTime/);
    }
  });

  it('matches scopes exactly', () => {
    const claims = new Claims({ uid: '1', scopes: ['admin', 'a b'] });
    expect(claims.hasScope('admin')).toBe(true);
    for (const scope of ['admin:webhooks', 'Admin', 'adm', 'a', '', '__proto__', 'length', '0']) {
      expect(claims.hasScope(scope)).toBe(false);
    }
  });

  inOneTest([
    ['42', 42],
    ['-7', -7],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 0],
    ['-0', 0],
    ['0', 0],
    ['4.2', 0],
    ['1e3', 0],
    ['0x10', 0],
    [' 42', 0],
    ['42\n', 0],
    ['+42', 0],
    ['٤٢', 0],
    ['alice', 0],
  ])('gives the integer view of uid %j as %d', (uid, expected) => {
    expect(Object.is(new Claims({ uid, scopes: [] }).intUid(), expected)).toBe(true);
  });

  inOneTest<[string, object]>([
    ['an empty uid', { uid: '' }],
    ['a uid of white space', { uid: ' \u00a0' }],
    ['a uid that no font shows', { uid: '\u200b\u2060' }],
    ['a uid of 129 characters', { uid: 'x'.repeat(129) }],
    ['a numeric uid', { uid: 42 }],
    ['half of a surrogate pair', { uid: 'a\ud800' }],
    ['a uid with U+0000', { uid: 'a\0' }],
    ['a scope with U+0000', { scopes: ['a\0'] }],
    ['a session id with U+0000', { sessionId: 'a\0' }],
    ['scopes as text', { scopes: 'admin' }],
    ['65 scopes', { scopes: Array(65).fill('a') }],
    ['an array with holes', { scopes: Array(3) }],
    ['an empty scope', { scopes: [''] }],
    ['a scope of 65 characters', { scopes: ['x'.repeat(65)] }],
    ['a fractional expiry', { expiresAt: 1.5 }],
    ['an expiry that is NaN', { expiresAt: Number.NaN }],
    ['an expiry in milliseconds', { expiresAt: Date.UTC(2026, 0, 1) }],
    ['a negative issue time', { issuedAt: -1 }],
    ['an empty session id', { sessionId: '' }],
    ['an unknown credential', { credential: 'cookie' }],
  ])('refuses %s', (_, fields) => {
    expect(() => new Claims({ uid: '1', scopes: [], ...fields })).toThrow(TypeError);
  });
});
