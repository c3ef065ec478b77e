import { describe, expect } from 'vitest';
import { isBlank } from '../src/blank-text.ts';
import { inOneTest } from './in-one-test.ts';

describe('isBlank', () => {
  inOneTest([
    ...['', ' \t\u00A0\u3000', '\u200B\u200C\u200D\u200E\u200F', '\u2060\u2061\u2062\u2063\u2064'],
    ...['\uFEFF', '\u3164', '\u115F\u1160', '\u2800', '\u00AD', '\u{E0061}\u{E007F}', ' \u2800 \u200B'],
  ])('is true for %j', (text) => {
    expect(isBlank(text)).toBe(true);
  });

  inOneTest(['a', ' 7 ', '\u200B.', '👩\u200D💻', '艾', '가', '\u2801', '\u0301'])(
    'is false for %j',
    (text) => {
      expect(isBlank(text)).toBe(false);
    },
  );
});
