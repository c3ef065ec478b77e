import { describe, expect, it } from 'vitest';
import { accentStyles, contrastOf } from '../../../src/panel/look/accent-color.ts';

type Rgb = Parameters<typeof contrastOf>[0];

const WHITE: Rgb = [255, 255, 255];
const DARK: Rgb = [37, 40, 45];

function rgb(hex: string): Rgb {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

/** The colours of a variable: that of the light scheme, and that of the dark one if it differs. */
function colorsOf(styles: string, name: string): Rgb[] {
  const value = new RegExp(`--mantine-color-${name}: (.*);`).exec(styles)?.[1] ?? '';
  return [...value.matchAll(/#[0-9a-f]{6}/g)].map(([hex]) => rgb(hex));
}

describe('accentStyles', () => {
  it.each(['#000000', '#0b6e4f', '#c2185b', '#4a148c', '#b71c1c', '#005fb8', '#6d6d6d'])(
    'keeps the text of buttons, links and notices legible with %s',
    (accent) => {
      const styles = accentStyles(accent);
      const pairs = colorsOf(styles, 'indigo-light').map(
        (ground, index) => [ground, colorsOf(styles, 'indigo-light-color')[index] ?? ground] as const,
      );
      const [onLight = WHITE, onDark = DARK] = colorsOf(styles, 'anchor');
      for (const filled of [
        ...colorsOf(styles, 'indigo-filled'),
        ...colorsOf(styles, 'indigo-filled-hover'),
      ]) {
        expect(contrastOf(filled, WHITE)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastOf(onLight, [246, 247, 249])).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(onDark, DARK)).toBeGreaterThanOrEqual(4.5);
      for (const [ground, text] of pairs) expect(contrastOf(ground, text)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('refuses a colour on which white text cannot be read, with its contrast', () => {
    expect(() => accentStyles('#ffcc00')).toThrow(
      new TypeError(
        'accentColor #ffcc00 is too light: its contrast with the page is 1.4, and text needs 4.5',
      ),
    );
  });

  it('refuses what is no colour of six digits, so that nothing else gets into the stylesheet', () => {
    for (const color of ['red', '#abc', '#0b6e4f ', '#0b6e4f;}', 'var(--x)', 7, null]) {
      expect(() => accentStyles(color)).toThrow(/^accentColor must be a colour of six hexadecimal digits/);
    }
  });
});

describe('contrastOf', () => {
  it('goes from 1 to 21', () => {
    expect(contrastOf(WHITE, WHITE)).toBe(1);
    expect(contrastOf([0, 0, 0], WHITE)).toBeCloseTo(21, 5);
  });
});
