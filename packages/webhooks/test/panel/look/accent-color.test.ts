import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accentStyles, contrastOf } from '../../../src/panel/look/accent-color.ts';

type Rgb = Parameters<typeof contrastOf>[0];

const WHITE: Rgb = [255, 255, 255];
const LIGHT: Rgb = [246, 247, 249];
const DARK: Rgb = [37, 40, 45];

function rgb(hex: string): Rgb {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

/** The colours of a variable: that of the light scheme, and that of the dark one. */
function colorsOf(styles: string, name: string): readonly [light: Rgb, dark: Rgb] {
  const value = new RegExp(`--mantine-color-${name}: (.*);`).exec(styles)?.[1] ?? '';
  const [light = '', dark = light] = value.match(/#[0-9a-f]{6}/g) ?? [];
  return [rgb(light), rgb(dark)];
}

function lookOf(accent: string) {
  const styles = accentStyles(accent);
  const scheme = (index: 0 | 1) => ({
    filled: colorsOf(styles, 'indigo-filled')[index],
    filledHover: colorsOf(styles, 'indigo-filled-hover')[index],
    light: colorsOf(styles, 'indigo-light')[index],
    lightHover: colorsOf(styles, 'indigo-light-hover')[index],
    lightColor: colorsOf(styles, 'indigo-light-color')[index],
    anchor: colorsOf(styles, 'anchor')[index],
  });
  return { accent, light: scheme(0), dark: scheme(1) };
}

/** Colours all over the cube, and some that are in use. */
const LEVELS = ['00', '11', '22', '44', '66', '88', 'aa', 'cc', 'dd', 'ff'];
const looks = [
  ...['#0b6e4f', '#c2185b', '#4a148c', '#b71c1c', '#005fb8', '#6d6d6d', '#dd0000'],
  ...LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`))),
]
  .filter((accent) => contrastOf(rgb(accent), LIGHT) >= 4.5)
  .map(lookOf);

describe('accentStyles', () => {
  it('keeps the text of buttons, links and notices legible with every colour it accepts', () => {
    for (const { accent, light, dark } of looks) {
      const textPairs = [
        [light.filled, WHITE],
        [light.filledHover, WHITE],
        [dark.filled, WHITE],
        [dark.filledHover, WHITE],
        [light.light, light.lightColor],
        [light.lightHover, light.lightColor],
        [dark.light, dark.lightColor],
        [dark.lightHover, dark.lightColor],
        [light.anchor, LIGHT],
        [dark.anchor, DARK],
      ] as const;
      for (const [index, [one, other]] of textPairs.entries()) {
        expect(contrastOf(one, other), `${accent}, pair ${index}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('keeps filled buttons apart from the page', () => {
    for (const { accent, light, dark } of looks) {
      expect(contrastOf(light.filled, LIGHT), accent).toBeGreaterThanOrEqual(3);
      expect(contrastOf(light.filledHover, LIGHT), accent).toBeGreaterThanOrEqual(3);
      expect(contrastOf(dark.filled, DARK), accent).toBeGreaterThanOrEqual(3);
      expect(contrastOf(dark.filledHover, DARK), accent).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(['indigo', 'red'])(
    'is not needed for that: the buttons in the built-in %s are legible, too',
    (name) => {
      const css = readFileSync(new URL('../../../src/panel/app/panel.css', import.meta.url), 'utf8');
      for (const variable of [`${name}-filled`, `${name}-filled-hover`]) {
        const [light, dark] = colorsOf(css, variable);
        for (const filled of [light, dark]) expect(contrastOf(filled, WHITE)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(light, LIGHT)).toBeGreaterThanOrEqual(3);
        expect(contrastOf(dark, DARK)).toBeGreaterThanOrEqual(3);
      }
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
