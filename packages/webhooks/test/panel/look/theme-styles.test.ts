import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { contrastOf } from '../../../src/panel/look/colors.ts';
import { checkedTheme, type PanelTheme } from '../../../src/panel/look/theme.ts';
import { themeStyles } from '../../../src/panel/look/theme-styles.ts';

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
  const values = [...styles.matchAll(new RegExp(`--mantine-${name}: (.*);`, 'g'))];
  const [light = '', dark = light] = values.flatMap(([, value = '']) => value.match(/#[0-9a-f]{6}/g) ?? []);
  return [rgb(light), rgb(dark)];
}

const stylesOf = (theme: PanelTheme) => themeStyles(checkedTheme(theme));

function lookOf(accent: string) {
  const styles = stylesOf({ light: { accent } }).css;
  const scheme = (index: 0 | 1) => ({
    filled: colorsOf(styles, 'color-indigo-filled')[index],
    filledHover: colorsOf(styles, 'color-indigo-filled-hover')[index],
    light: colorsOf(styles, 'color-indigo-light')[index],
    lightHover: colorsOf(styles, 'color-indigo-light-hover')[index],
    lightColor: colorsOf(styles, 'color-indigo-light-color')[index],
    anchor: colorsOf(styles, 'color-anchor')[index],
    text: colorsOf(styles, 'primary-color-contrast')[index],
  });
  return { accent, light: scheme(0), dark: scheme(1) };
}

/** Colours all over the cube, and some that brands have. */
const LEVELS = ['00', '11', '22', '44', '66', '88', 'aa', 'cc', 'dd', 'ff'];
const looks = [
  ...['#0b6e4f', '#c2185b', '#4a148c', '#f5a623', '#38bdf8', '#ff5722', '#e91e63', '#ffffff'],
  ...LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`))),
].map(lookOf);

describe('themeStyles', () => {
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

  inOneTest(['indigo', 'red'])(
    'is not needed for that: the buttons in the built-in %s are legible, too',
    (name) => {
      const css = readFileSync(new URL('../../../src/panel/app/panel.css', import.meta.url), 'utf8');
      for (const variable of [`color-${name}-filled`, `color-${name}-filled-hover`]) {
        const [light, dark] = colorsOf(css, variable);
        for (const filled of [light, dark]) expect(contrastOf(filled, WHITE)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(light, LIGHT)).toBeGreaterThanOrEqual(3);
        expect(contrastOf(dark, DARK)).toBeGreaterThanOrEqual(3);
      }
    },
  );

  inOneTest([
    ['#f5a623', [0, 0, 0]],
    ['#0b6e4f', WHITE],
  ])('writes on %s in what can be read', (accent, text) => {
    expect(colorsOf(stylesOf({ light: { accent } }).css, 'primary-color-contrast')[0]).toEqual(text);
  });

  it('keeps texts legible on every ground, surface and border', () => {
    const colors = ['#000000', '#777777', '#ffffff', '#ffd400', '#0b6e4f', '#4a148c', '#7f7f7f'];
    for (const ground of colors) {
      for (const surface of colors) {
        for (const text of colors) {
          const one = { ground, surface, text, border: text, accent: text };
          const { css } = stylesOf({ light: one, dark: one });
          for (const index of [0, 1] as const) {
            const behind = ['panel-ground', 'mantine-color-body', 'mantine-color-default'].map((name) =>
              variable(css, name, index),
            );
            for (const name of ['text', 'dimmed', 'placeholder', 'error', 'anchor']) {
              for (const other of behind) {
                const contrast = contrastOf(variable(css, `mantine-color-${name}`, index), other);
                expect(contrast, `${name} of ${JSON.stringify(one)}`).toBeGreaterThanOrEqual(4.5);
              }
            }
            const field = behind.slice(1);
            for (const other of field) {
              const contrast = contrastOf(variable(css, 'panel-box-border', index), other);
              expect(contrast, JSON.stringify(one)).toBeGreaterThanOrEqual(3);
            }
          }
        }
      }
    }
  });

  it('says which colours it corrected, and keeps the others as they are', () => {
    const light = { ground: '#fffaf0', surface: '#000000', text: '#fffaf0', accent: '#ffd400' };
    expect(stylesOf({ light }).corrected).toEqual(['light.surface', 'light.text', 'light.accent']);
    const dark = {
      ground: '#101010',
      surface: '#202020',
      text: '#eeeeee',
      accent: '#ffd400',
      border: '#333333',
    };
    const { css, corrected } = stylesOf({ dark });
    expect(corrected).toEqual([]);
    for (const color of Object.values(dark)) expect(css).toContain(color);
    expect(css).not.toContain('"light"');
  });

  it('quotes the names of fonts, and not those of kinds', () => {
    const { css } = stylesOf({ font: "Helvetica Neue, 'Inter', serif", fontUrl: "/a'(b).woff2", radius: 0 });
    expect(css).toContain('--mantine-font-family: "Helvetica Neue", Inter, serif;');
    expect(css).toContain('src: url("/a%27%28b%29.woff2")');
    expect(css).toContain('--mantine-radius-default: 0px;');
  });
});

describe('checkedTheme', () => {
  inOneTest([
    '-apple-system, BlinkMacSystemFont, "Segoe UI", sans-serif',
    "'Exo 2.0', M+ 1p, fantasy",
    'Ünal’s'.slice(0, 4),
  ])('takes the fonts that style sheets have: %s', (font) => {
    expect(stylesOf({ font }).css).toContain('--mantine-font-family: ');
  });

  inOneTest([
    ['theme.light.accent must be a colour of six', { light: { accent: 'red' } }],
    ['theme.light.ground must be a colour of six', { light: { ground: '#0b6e4f;}*{display:none}' } }],
    ['theme.dark.text must be a colour of six', { dark: { text: '#0b6e4f ' } }],
    ['theme.light.logoUrl must be a path', { light: { logoUrl: 'https://cdn.example.com/logo.svg' } }],
    ['theme.dark.logoUrl must be a path', { dark: { logoUrl: 'data:image/svg+xml,<svg/>' } }],
    ['theme.font must name fonts', { font: 'Inter; } * { display: none' }],
    ['theme.font must name fonts', { font: 'url(//evil.example)' }],
    ['theme.font must name fonts', { font: '' }],
    ['theme.font must name fonts', { font: 'a'.repeat(201) }],
    ['theme.fontUrl must be a path', { font: 'Inter', fontUrl: '//evil.example/inter.woff2' }],
    ['theme.fontUrl needs theme.font', { fontUrl: '/inter.woff2' }],
    ['theme.fontUrl needs theme.font', { font: 'Sans-Serif', fontUrl: '/inter.woff2' }],
    ['theme.font must name fonts', { font: 'Inter, ' }],
    ['theme.font must name fonts', { font: 'a"b' }],
    ['theme.font must name fonts', { font: 'a\\b' }],
    ['theme.radius must be', { radius: 25 }],
    ['theme.radius must be', { radius: Number.NaN }],
    ['theme.density must be', { density: 'tight' }],
    ['colour', { colour: '#000000' }],
    ['theme must be an object', null],
  ])('refuses what it does not know: %s', (message, theme) => {
    expect(() => checkedTheme(theme as PanelTheme)).toThrow(TypeError);
    expect(() => checkedTheme(theme as PanelTheme)).toThrow(message);
  });
});

function variable(css: string, name: string, index: 0 | 1): Rgb {
  const values = [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))];
  return rgb(values[index]?.[1] ?? '');
}

describe('contrastOf', () => {
  it('goes from 1 to 21', () => {
    expect(contrastOf(WHITE, WHITE)).toBe(1);
    expect(contrastOf([0, 0, 0], WHITE)).toBeCloseTo(21, 5);
  });
});
