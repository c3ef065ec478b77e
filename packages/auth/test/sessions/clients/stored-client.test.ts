import { describe, expect, it } from 'vitest';
import { storedClient } from '../../../src/sessions/clients/stored-client.ts';

describe('storedClient', () => {
  it('keeps an address and a user agent as they are', () => {
    const client = { ip: '2001:db8::1', userAgent: 'Mozilla/5.0 (Ärger) \u{1F600}' };
    expect(storedClient(client)).toEqual(client);
  });

  it('is empty where nothing is known', () => {
    expect(storedClient({})).toEqual({ ip: '', userAgent: '' });
    expect(storedClient({ ip: undefined, userAgent: undefined })).toEqual({ ip: '', userAgent: '' });
  });

  it('cuts an address at 64 and a user agent at 256 characters', () => {
    const { ip, userAgent } = storedClient({ ip: '1'.repeat(65), userAgent: 'x'.repeat(257) });
    expect([ip, userAgent]).toEqual(['1'.repeat(64), 'x'.repeat(256)]);
  });

  it.each([
    '\0',
    '\u0007',
    '\n',
    '\u001B',
    '\u007F',
    '\u0085',
    '\u2028',
    '\u202E',
    '\u2069',
    '\uD83D',
    '\uDE00',
  ])('replaces %j', (character) => {
    const text = `a${character}b`;
    expect(storedClient({ ip: text, userAgent: text })).toEqual({ ip: 'a\uFFFDb', userAgent: 'a\uFFFDb' });
  });

  it('replaces the half of a pair that its cut leaves', () => {
    expect(storedClient({ userAgent: `${'x'.repeat(255)}\u{1F600}` }).userAgent).toBe(
      `${'x'.repeat(255)}\uFFFD`,
    );
  });

  it('keeps nothing else of a client', () => {
    const more = { ip: '192.0.2.1', userAgent: 'x', refreshTokens: ['secret'] };
    expect(Object.keys(storedClient(more)).sort()).toEqual(['ip', 'userAgent']);
  });
});
