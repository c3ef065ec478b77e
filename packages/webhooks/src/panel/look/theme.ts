import { refuseUnknownOptions } from '../../../../toolkit/src/options.ts';
import { isLocalTarget } from '../local-target.ts';
import { type Rgb, rgbOf } from './colors.ts';

/** The colours of one scheme as `#rrggbb`, and its logo. What is left out stays as built in. */
export interface SchemeTheme {
  /** Of buttons, links and marks. The dark scheme has that of the light one by default. */
  readonly accent?: string | undefined;
  /** Of the page. */
  readonly ground?: string | undefined;
  /** Of tables, dialogs and fields. */
  readonly surface?: string | undefined;
  readonly border?: string | undefined;
  readonly text?: string | undefined;
  /**
   * The logo in the header: a path on the same origin to a PNG, SVG or other image. It is shown 28
   * pixels high, as an image, so that no script of an SVG runs. The dark scheme has that of the
   * light one by default.
   */
  readonly logoUrl?: string | undefined;
}

/**
 * A look of one's own. Colours that could not be read are corrected: text on a light colour is
 * black, links are darkened or lightened, and the surface moves towards the ground until one text
 * can be read on both.
 */
export interface PanelTheme {
  readonly light?: SchemeTheme | undefined;
  readonly dark?: SchemeTheme | undefined;
  /**
   * Names of fonts, the preferred one first, as in CSS: `Inter, "Helvetica Neue", sans-serif`. At
   * most 200 characters. Default: the system's.
   */
  readonly font?: string | undefined;
  /**
   * A path on the same origin to a WOFF2 file of the first font. Default: none; the font must be
   * installed.
   */
  readonly fontUrl?: string | undefined;
  /** Of corners, in pixels, 0–24. Default: 4. */
  readonly radius?: number | undefined;
  /** The space between and within things. Default: `comfortable`. */
  readonly density?: 'comfortable' | 'compact' | undefined;
}

const COLORS = ['accent', 'ground', 'surface', 'border', 'text'] as const;

/** The colours of one scheme that were given. */
export type GivenColors = Readonly<Partial<Record<(typeof COLORS)[number], Rgb>>>;

/** A theme that was checked. */
export interface CheckedTheme {
  readonly light: GivenColors;
  readonly dark: GivenColors;
  readonly logos: { readonly light: string | undefined; readonly dark: string | undefined };
  readonly fonts: readonly string[];
  readonly fontUrl: string | undefined;
  readonly radius: number | undefined;
  readonly isCompact: boolean;
}

const MAX_FONT_LENGTH = 200;
const MAX_RADIUS = 24;
/** What the browser chooses: no file has one of these names. */
const KINDS_OF_FONTS =
  /^(?:(?:ui-)?(?:sans-)?serif|(?:ui-)?monospace|(?:ui-)?rounded|cursive|fantasy|math|system-ui)$/i;

/** @throws TypeError naming the token and what it must be */
export function checkedTheme(theme: PanelTheme): CheckedTheme {
  if (typeof theme !== 'object' || theme === null) throw new TypeError('theme must be an object');
  refuseUnknownOptions('theme', theme, ['light', 'dark', 'font', 'fontUrl', 'radius', 'density']);
  const { light = {}, dark = {}, fontUrl, radius, density = 'comfortable' } = theme;
  if (fontUrl !== undefined && !isLocalTarget(fontUrl)) {
    throw new TypeError('theme.fontUrl must be a path on the same origin such as /fonts/inter.woff2');
  }
  const fonts = fontsOf(theme.font);
  if (fontUrl !== undefined && (fonts[0] === undefined || KINDS_OF_FONTS.test(fonts[0]))) {
    throw new TypeError('theme.fontUrl needs theme.font, whose first name is that of the file');
  }
  if (radius !== undefined && !(Number.isFinite(radius) && radius >= 0 && radius <= MAX_RADIUS)) {
    throw new TypeError(`theme.radius must be a number of pixels, 0–${MAX_RADIUS}`);
  }
  if (density !== 'comfortable' && density !== 'compact') {
    throw new TypeError("theme.density must be 'comfortable' or 'compact'");
  }
  const colors = { light: colorsOf('light', light), dark: colorsOf('dark', dark) };
  return {
    light: colors.light,
    dark: { ...(colors.light.accent && { accent: colors.light.accent }), ...colors.dark },
    logos: { light: light.logoUrl, dark: dark.logoUrl ?? light.logoUrl },
    fonts,
    fontUrl,
    radius,
    isCompact: density === 'compact',
  };
}

function colorsOf(scheme: 'light' | 'dark', given: SchemeTheme): GivenColors {
  const name = `theme.${scheme}`;
  if (typeof given !== 'object' || given === null) throw new TypeError(`${name} must be an object`);
  refuseUnknownOptions(name, given, [...COLORS, 'logoUrl']);
  if (given.logoUrl !== undefined && !isLocalTarget(given.logoUrl)) {
    throw new TypeError(`${name}.logoUrl must be a path on the same origin such as /images/logo.svg`);
  }
  const colors: Partial<Record<(typeof COLORS)[number], Rgb>> = {};
  for (const token of COLORS) {
    if (given[token] === undefined) continue;
    const color = rgbOf(given[token]);
    if (color === undefined) {
      throw new TypeError(`${name}.${token} must be a colour of six hexadecimal digits, such as #0b6e4f`);
    }
    colors[token] = color;
  }
  return colors;
}

/** Only what cannot end the text that it stands in: a customer may have chosen it. */
function fontsOf(font: unknown): readonly string[] {
  if (font === undefined) return [];
  const names = typeof font === 'string' && font.length <= MAX_FONT_LENGTH ? font.split(',') : [];
  const fonts = names.map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'));
  if (fonts.length > 0 && fonts.every((name) => /^[\p{L}\p{N} ._+&'-]*[\p{L}\p{N}]$/u.test(name)))
    return fonts;
  throw new TypeError(
    `theme.font must name fonts, such as Inter, "Helvetica Neue", sans-serif, in at most ${MAX_FONT_LENGTH} characters`,
  );
}
