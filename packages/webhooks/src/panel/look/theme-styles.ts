import {
  BLACK,
  contrastOf,
  distinct,
  hexOf,
  MIN_CONTRAST,
  MIN_SHAPE_CONTRAST,
  mixed,
  type Rgb,
  WHITE,
} from './colors.ts';
import type { CheckedTheme, GivenColors } from './theme.ts';

type Palette = Required<GivenColors> & { readonly error: Rgb };

/** What panel.css has, too. */
const BUILT_IN = {
  light: {
    accent: [59, 91, 219],
    ground: [246, 247, 249],
    surface: [255, 255, 255],
    border: [217, 221, 227],
    text: [31, 35, 40],
    error: [180, 35, 24],
  },
  dark: {
    accent: [73, 103, 222],
    ground: [19, 20, 23],
    surface: [27, 29, 33],
    border: [56, 60, 67],
    text: [227, 229, 232],
    error: [255, 143, 133],
  },
} as const satisfies Record<string, Palette>;

/** Stands for itself, as kinds of fonts must. Other names are quoted. */
const IDENTIFIER = /^-?[a-z][\w-]*$/i;

const COMPACT_SPACING = { xs: 6, sm: 8, md: 11, lg: 14, xl: 22 };

export interface ThemeStyles {
  readonly css: string;
  /** The given colours that could not be read, such as `light.text`. */
  readonly corrected: readonly string[];
}

/** The stylesheet of a theme: the variables of panel.css and of Mantine that it changes. */
export function themeStyles(theme: CheckedTheme): ThemeStyles {
  const corrected: string[] = [];
  const rules = [fontFace(theme), rule(':root[data-mantine-color-scheme]', shapeOf(theme))];
  for (const scheme of ['light', 'dark'] as const) {
    const { accent, ...neutral } = theme[scheme];
    const { neutrals, accents } = legiblePalette({ ...BUILT_IN[scheme], ...theme[scheme] });
    const isInherited = scheme === 'dark' && accent === theme.light.accent;
    const written = [
      ['surface', neutral.surface, neutrals['mantine-color-body']],
      ['text', neutral.text, neutrals['mantine-color-text']],
      ['accent', isInherited ? undefined : accent, accents['mantine-color-anchor']],
    ] as const;
    for (const [token, color, shown] of written) {
      if (color !== undefined && hexOf(color) !== hexOf(shown)) corrected.push(`${scheme}.${token}`);
    }
    const values = {
      ...(Object.keys(neutral).length > 0 && neutrals),
      ...(Object.keys(theme[scheme]).length > 0 && accents),
    };
    rules.push(rule(`:root[data-mantine-color-scheme="${scheme}"]`, values));
  }
  return { css: rules.join(''), corrected };
}

/**
 * What the colours of one scheme become. One that cannot be read where it stands is replaced by the
 * nearest that can, on its scale from itself to black or white.
 */
function legiblePalette({ accent, border, error, ground, ...given }: Palette) {
  const ink = contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK;
  const isDark = ink === WHITE;
  /** The nearest to a colour, on the way to one that carries text, that carries text itself. */
  const behind = (color: Rgb, end: Rgb) => distinct(color, [ink], end, MIN_CONTRAST);
  const surface = behind(given.surface, ground);
  // Fields lie on a surface: a little lighter where it is dark.
  const field = isDark ? behind(mixed(surface, WHITE, 0.055), surface) : surface;
  const fieldHover = behind(mixed(field, ink, 0.05), field);
  const legible = (color: Rgb) => distinct(color, [ground, surface, field, fieldHover], ink, MIN_CONTRAST);
  const text = legible(given.text);
  const quiet = legible(mixed(text, surface, 0.35));
  const fieldBorder = mixed(border, ink, 0.1);

  // On a light page a button may be as light as its owner likes: its text and place show it.
  const filled = isDark ? distinct(accent, [field], WHITE, MIN_SHAPE_CONTRAST) : accent;
  const onFilled = contrastOf(filled, WHITE) >= MIN_CONTRAST ? WHITE : BLACK;
  // Darker, but lighter in the dark, where a darker one would sink into the page.
  const hovered = mixed(filled, isDark ? WHITE : BLACK, 0.15);
  const pale = isDark ? field : WHITE;
  const light = behind(mixed(accent, pale, isDark ? 0.7 : 0.88), pale);
  const lightHover = behind(mixed(accent, pale, isDark ? 0.6 : 0.8), pale);
  return {
    neutrals: {
      'panel-ground': ground,
      'panel-code': ground,
      'panel-border': border,
      'panel-box-border': distinct(border, [surface, field], ink, MIN_SHAPE_CONTRAST),
      'mantine-color-body': surface,
      'mantine-color-dark-6': field,
      'mantine-color-default': field,
      'mantine-color-default-hover': fieldHover,
      'mantine-color-default-border': fieldBorder,
      // Of fields: Mantine has no variable for them alone.
      'mantine-color-gray-4': fieldBorder,
      'mantine-color-dark-4': fieldBorder,
      'mantine-color-text': text,
      'mantine-color-default-color': text,
      'mantine-color-dimmed': quiet,
      'mantine-color-placeholder': quiet,
      'mantine-color-error': legible(error),
    },
    accents: {
      'mantine-color-indigo-filled': filled,
      'mantine-color-indigo-filled-hover': distinct(hovered, [onFilled], filled, MIN_CONTRAST),
      'mantine-primary-color-contrast': onFilled,
      'mantine-color-indigo-light': light,
      'mantine-color-indigo-light-hover': lightHover,
      'mantine-color-indigo-light-color': distinct(accent, [light, lightHover], ink, MIN_CONTRAST),
      'mantine-color-anchor': legible(accent),
    },
  };
}

function fontFace({ fonts: [font = ''], fontUrl }: CheckedTheme): string {
  if (fontUrl === undefined) return '';
  // No character of a path as URL parsing leaves it could end the text, but for these.
  const url = fontUrl.replace(/["'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `@font-face {\n  font-family: "${font}";\n  font-display: swap;\n  font-weight: 100 900;\n  src: url("${url}") format("woff2");\n}\n`;
}

function shapeOf({ fonts, radius, isCompact }: CheckedTheme): Record<string, string> {
  const family = fonts.map((font) => (IDENTIFIER.test(font) ? font : `"${font}"`)).join(', ');
  const corner = `${radius}px`;
  return {
    ...(fonts.length > 0 && { 'mantine-font-family': family, 'mantine-font-family-headings': family }),
    ...(radius !== undefined && {
      'mantine-radius-default': corner,
      'mantine-radius-sm': corner,
      'mantine-radius-md': corner,
    }),
    ...(isCompact &&
      Object.fromEntries(
        Object.entries(COMPACT_SPACING).map(([size, px]) => [`mantine-spacing-${size}`, `${px / 16}rem`]),
      )),
  };
}

function rule(selector: string, values: Readonly<Record<string, string | Rgb>>): string {
  const lines = Object.entries(values).map(
    ([name, value]) => `  --${name}: ${typeof value === 'string' ? value : hexOf(value)};\n`,
  );
  return lines.length === 0 ? '' : `${selector} {\n${lines.join('')}}\n`;
}
