import {
  BLACK,
  contrastOf,
  distinct,
  hexOf,
  MIN_CONTRAST,
  MIN_SHAPE_CONTRAST,
  mixed,
  type Rgb,
  textOn,
  WHITE,
} from './colors.ts';
import type { CheckedTheme, GivenColors } from './theme.ts';

type Colors = Required<GivenColors>;

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
} as const satisfies Record<string, Colors & { readonly error: Rgb }>;

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
    const given = theme[scheme];
    const readable = readableColors({ ...BUILT_IN[scheme], ...given });
    for (const token of ['surface', 'text'] as const) {
      if (given[token] !== undefined && hexOf(given[token]) !== hexOf(readable[token]))
        corrected.push(`${scheme}.${token}`);
    }
    const { accent, ...neutral } = given;
    const values = {
      ...(Object.keys(neutral).length > 0 && neutralsOf(readable, BUILT_IN[scheme].error)),
      ...(Object.keys(given).length > 0 && accentsOf(readable)),
    };
    const isInherited = scheme === 'dark' && accent === theme.light.accent;
    if (accent && !isInherited && !canBeRead(accent, readable)) corrected.push(`${scheme}.accent`);
    rules.push(rule(`:root[data-mantine-color-scheme="${scheme}"]`, values));
  }
  return { css: rules.join(''), corrected };
}

/** The surface and the text, moved until the text can be read on ground, surface and fields. */
function readableColors(colors: Colors): Colors {
  const { ground } = colors;
  const ink = inkOn(colors);
  const surface = distinct(colors.surface, [ink], ground, MIN_CONTRAST);
  const grounds = [ground, surface, fieldOn(surface, ink)];
  return { ...colors, surface, text: distinct(colors.text, grounds, ink, MIN_CONTRAST) };
}

function canBeRead(color: Rgb, { ground, surface }: Colors): boolean {
  return [ground, surface].every((behind) => contrastOf(color, behind) >= MIN_CONTRAST);
}

/**
 * Fields lie on a surface: a little lighter where it is dark, as far as text can be read on them.
 */
function fieldOn(surface: Rgb, ink: Rgb): Rgb {
  return ink === WHITE ? distinct(mixed(surface, WHITE, 0.055), [ink], surface, MIN_CONTRAST) : surface;
}

/** Black or white, whichever stands out from the ground. */
function inkOn({ ground }: Colors): Rgb {
  return contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK;
}

function neutralsOf(colors: Colors, error: Rgb): Record<string, Rgb> {
  const { ground, surface, border, text } = colors;
  const ink = inkOn(colors);
  const field = fieldOn(surface, ink);
  const grounds = [ground, surface, field];
  const fieldBorder = mixed(border, ink, 0.1);
  const quiet = distinct(mixed(text, surface, 0.35), grounds, ink, MIN_CONTRAST);
  return {
    'panel-ground': ground,
    'panel-code': ground,
    'panel-border': border,
    'panel-box-border': distinct(border, [surface, field], ink, MIN_SHAPE_CONTRAST),
    'mantine-color-body': surface,
    'mantine-color-dark-6': field,
    'mantine-color-default': field,
    'mantine-color-default-hover': mixed(field, ink, 0.05),
    'mantine-color-default-border': fieldBorder,
    // Of fields: Mantine has no variable for them alone.
    'mantine-color-gray-4': fieldBorder,
    'mantine-color-dark-4': fieldBorder,
    'mantine-color-text': text,
    'mantine-color-default-color': text,
    'mantine-color-dimmed': quiet,
    'mantine-color-placeholder': quiet,
    'mantine-color-error': distinct(error, grounds, ink, MIN_CONTRAST),
  };
}

/** Text on a light fill is black; links and buttons stand out from what is behind them. */
function accentsOf(colors: Colors): Record<string, Rgb> {
  const { accent, ground, surface } = colors;
  const ink = inkOn(colors);
  const field = fieldOn(surface, ink);
  const grounds = [ground, surface, field];
  const isDark = ink === WHITE;
  // On a light page a button may be as light as its owner likes: its text and place show it.
  const filled = isDark ? distinct(accent, [field], WHITE, MIN_SHAPE_CONTRAST) : accent;
  const light = isDark ? mixed(accent, field, 0.7) : mixed(accent, WHITE, 0.88);
  const lightHover = isDark
    ? distinct(mixed(accent, field, 0.6), [WHITE], field, MIN_CONTRAST)
    : mixed(accent, WHITE, 0.8);
  return {
    'mantine-color-indigo-filled': filled,
    // Darker, but lighter in the dark, where a darker one would sink into the page.
    'mantine-color-indigo-filled-hover': hovered(filled, isDark ? WHITE : BLACK),
    'mantine-primary-color-contrast': textOn(filled),
    'mantine-color-indigo-light': light,
    'mantine-color-indigo-light-hover': lightHover,
    'mantine-color-indigo-light-color': distinct(accent, [light, lightHover], ink, MIN_CONTRAST),
    'mantine-color-anchor': distinct(accent, grounds, ink, MIN_CONTRAST),
  };
}

/** The fill under the pointer: nearer to `end`, as far as its text allows. */
function hovered(fill: Rgb, end: Rgb): Rgb {
  const text = textOn(fill);
  return distinct(mixed(fill, end, 0.15), [text], text === WHITE ? BLACK : WHITE, MIN_CONTRAST);
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
