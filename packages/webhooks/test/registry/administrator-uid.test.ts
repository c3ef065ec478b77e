import { describe, expect, it } from 'vitest';
import { isUid } from '../../src/registry/administrator-uid.ts';

describe('isUid', () => {
  it.each(['7', 'ada@example.com', 'user 7', 'Zoë', 'a'.repeat(255)])('is true for %j', (uid) => {
    expect(isUid(uid)).toBe(true);
  });

  it.each([
    ['an empty text', ''],
    ['a text of 256 characters', 'a'.repeat(256)],
    ['a line feed', '7\nuid=8'],
    ['a null character', '7\0'],
    ['half of a surrogate pair', '7\uD800'],
    ['white space', ' '],
    ['no visible character', '\u200B\u2060\u3164'],
    ['a number', 7],
    ['nothing', undefined],
  ])('is false for %s', (_, value) => {
    expect(isUid(value)).toBe(false);
  });
});
