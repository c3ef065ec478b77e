import { describe, expect, it } from 'vitest';
import { isPlainLine } from '../src/plain-line.ts';

const REFUSED = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
] as const;

describe('isPlainLine', () => {
  it('refuses exactly the controls, separators and halves of pairs', () => {
    const refused: number[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      if (!isPlainLine(`a${String.fromCharCode(code)}b`)) refused.push(code);
    }
    const expected = REFUSED.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    expect(refused).toEqual(expected);
  });

  it.each(['', 'Ada Lovelace', 'שלום\u200F (7)', 'می\u200Cخواهم', '👩\u200D💻', '艾达'])(
    'accepts %j',
    (text) => {
      expect(isPlainLine(text)).toBe(true);
    },
  );
});
