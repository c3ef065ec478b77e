import { describe, expect, it } from 'vitest';
import { logSafeText } from '../../src/text/log-safe-text.ts';

describe('text for a log', () => {
  it.each([
    ['a line break', 'a\r\nb', 'a\uFFFD\uFFFDb'],
    ['an escape sequence', '\u001b[2J', '\uFFFD[2J'],
    ['a change of direction', 'a\u202Eb', 'a\uFFFDb'],
    ['a line separator', 'a\u2028b', 'a\uFFFDb'],
    ['half a character', 'a\uD83Db', 'a\uFFFDb'],
    ['any other text', 'Grüße 🦊 /api?x', 'Grüße 🦊 /api?x'],
  ])('replaces or keeps %s', (_, text, safe) => {
    expect(logSafeText(text, 100)).toBe(safe);
  });

  it('is cut at its bound, never into half a character', () => {
    expect(logSafeText('x'.repeat(1000), 256)).toHaveLength(256);
    expect(logSafeText('ab🦊', 3)).toBe('ab\uFFFD');
  });
});
