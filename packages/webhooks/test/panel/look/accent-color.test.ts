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

/** The colours of the text of filled buttons. */
function textOf(styles: string): readonly [light: Rgb, dark: Rgb] {
  return colorsOf(styles.replace('primary-color-contrast', 'color-contrast'), 'contrast');
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
    text: textOf(styles)[index],
  });
  return { accent, light: scheme(0), dark: scheme(1) };
}

/** Colours all over the cube, and some that brands have. */
const LEVELS = ['00', '11', '22', '44', '66', '88', 'aa', 'cc', 'dd', 'ff'];
const looks = [
  ...['#0b6e4f', '#c2185b', '#4a148c', '#f5a623', '#38bdf8', '#ff5722', '#e91e63', '#ffffff'],
  ...LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`))),
].map(lookOf);

describe('accentStyles', () => {
  it('keeps the text of buttons, links and notices legible with every colour', () => {
    for (const { accent, light, dark } of looks) {
      const textPairs = [
        [light.filled, light.text],
        [light.filledHover, light.text],
        [dark.filled, dark.text],
        [dark.filledHover, dark.text],
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

  it('keeps the colour itself on buttons, and apart from a dark page', () => {
    for (const { accent, light, dark } of looks) {
      expect(light.filled, accent).toEqual(rgb(accent));
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

  it.each([
    ['#f5a623', [0, 0, 0]],
    ['#0b6e4f', WHITE],
  ])('writes on %s in what can be read', (accent, text) => {
    expect(textOf(accentStyles(accent))[0]).toEqual(text);
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
