import { describe, expect, it } from 'vitest';
import { integerUid, isUid } from '../../src/registry/administrator-uid.ts';

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

describe('integerUid', () => {
  it.each([
    ['7', 7],
    [`${Number.MAX_SAFE_INTEGER}`, Number.MAX_SAFE_INTEGER],
  ])('is the number of %j', (uid, number) => {
    expect(integerUid(uid)).toBe(number);
  });

  it.each([null, '', 'ada', '-7', '007', '0', '7a', '7.5', '1e3', ' 7', '0x10', '-0', '9007199254740992'])(
    'is 0 for %j',
    (uid) => {
      expect(integerUid(uid)).toBe(0);
    },
  );
});
