import { describe, expect, it } from 'vitest';
import { isStorableText } from '../../src/storage/storable-text.ts';

describe('isStorableText', () => {
  it.each(['\0', 'a\0b', '\uD83D', 'a\uDE00', '\uDE00\uD83D'])('refuses %j', (text) => {
    expect(isStorableText(text)).toBe(false);
  });

  it.each(['', 'a\nb', '\u0001', '\uFFFD', '\uFFFF', '\u{1F600}', '\u{10FFFF}'])('accepts %j', (text) => {
    expect(isStorableText(text)).toBe(true);
  });
});
