import { describe, expect, it } from 'vitest';
import { hasLoneSurrogate } from '../../src/text/well-formed-text.ts';

describe('hasLoneSurrogate', () => {
  it.each(['\uD83D', '\uDE00', 'a\uD83Db', '\uDE00\uD83D', '\u{1F600}\uDE00'])(
    'finds half of a surrogate pair in %j',
    (text) => {
      expect(hasLoneSurrogate(text)).toBe(true);
    },
  );

  it.each(['', 'ada', 'ä', '\0', '\uFFFD', '\uFFFF', '\u{1F600}', '\u{10FFFF}'])(
    'finds none in %j',
    (text) => {
      expect(hasLoneSurrogate(text)).toBe(false);
    },
  );
});
