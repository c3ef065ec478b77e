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

const stylesOf = (theme: PanelTheme) => themeStyles(checkedTheme(theme));

/** Reads the colours of a style sheet: those of the light scheme first. */
function colorsIn(css: string): (name: string, scheme?: 0 | 1) => Rgb {
  return (name, scheme = 0) => {
    const values = [...css.matchAll(new RegExp(`--(?:mantine-)?${name}: (.*);`, 'g'))];
    const [light = '', dark = light] = values.flatMap(([, value = '']) => value.match(/#[0-9a-f]{6}/g) ?? []);
    return rgb(scheme === 0 ? light : dark);
  };
}

/** What is written, on what, and the least contrast. */
const ON_ACCENTS = [
  ['primary-color-contrast', ['color-indigo-filled', 'color-indigo-filled-hover'], 4.5],
  ['color-indigo-light-color', ['color-indigo-light', 'color-indigo-light-hover'], 4.5],
] as const;
const ON_GROUNDS = [
  ...['text', 'dimmed', 'placeholder', 'error', 'anchor'].map(
    (name) => [`color-${name}`, ['panel-ground', 'color-body', 'color-default'], 4.5] as const,
  ),
  ['color-default-color', ['color-default', 'color-default-hover'], 4.5],
  ['panel-box-border', ['color-body', 'color-default'], 3],
] as const;

function expectLegible(theme: PanelTheme, pairs: typeof ON_ACCENTS | typeof ON_GROUNDS): void {
  const color = colorsIn(stylesOf(theme).css);
  for (const scheme of [0, 1] as const) {
    for (const [name, grounds, least] of pairs) {
      for (const ground of grounds) {
        const contrast = contrastOf(color(name, scheme), color(ground, scheme));
        if (contrast < least)
          expect.fail(`${name} on ${ground}, ${scheme}: ${contrast} ${JSON.stringify(theme)}`);
      }
    }
  }
}

/** Colours all over the cube, and some that brands have. */
const LEVELS = ['00', '11', '22', '44', '66', '88', 'aa', 'cc', 'dd', 'ff'];
const ACCENTS = [
  ...['#0b6e4f', '#c2185b', '#4a148c', '#f5a623', '#38bdf8', '#ff5722', '#e91e63', '#ffffff'],
  ...LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`))),
];

describe('themeStyles', () => {
  it('keeps every accent on buttons, apart from a dark page, and what is written on it legible', () => {
    for (const accent of ACCENTS) {
      expectLegible({ light: { accent } }, ON_ACCENTS);
      const color = colorsIn(stylesOf({ light: { accent } }).css);
      expect(color('color-indigo-filled'), accent).toEqual(rgb(accent));
      for (const filled of ['color-indigo-filled', 'color-indigo-filled-hover']) {
        expect(contrastOf(color(filled, 1), DARK), accent).toBeGreaterThanOrEqual(3);
      }
      expect(contrastOf(color('color-anchor'), LIGHT), accent).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(color('color-anchor', 1), DARK), accent).toBeGreaterThanOrEqual(4.5);
    }
  });

  inOneTest(['indigo', 'red'])(
    'is not needed for that: the buttons in the built-in %s are legible, too',
    (name) => {
      const css = readFileSync(new URL('../../../src/panel/app/panel.css', import.meta.url), 'utf8');
      for (const variable of [`color-${name}-filled`, `color-${name}-filled-hover`]) {
        const [light, dark] = [colorsIn(css)(variable), colorsIn(css)(variable, 1)];
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
    expect(colorsIn(stylesOf({ light: { accent } }).css)('primary-color-contrast')).toEqual(text);
  });

  it('keeps texts legible on every ground, surface, border and accent', () => {
    const colors = ['#000000', '#777777', '#ffffff', '#ffd400', '#0b6e4f', '#4a148c', '#7f7f7f'];
    for (const ground of colors) {
      for (const surface of colors) {
        for (const text of colors) {
          const one = { ground, surface, text, border: text, accent: text };
          expectLegible({ light: one, dark: one }, ON_GROUNDS);
          expectLegible({ light: one, dark: one }, ON_ACCENTS);
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

describe('contrastOf', () => {
  it('goes from 1 to 21', () => {
    expect(contrastOf(WHITE, WHITE)).toBe(1);
    expect(contrastOf([0, 0, 0], WHITE)).toBeCloseTo(21, 5);
  });
});
