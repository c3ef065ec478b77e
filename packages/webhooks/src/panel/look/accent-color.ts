/** A colour as red, green and blue, each from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The grounds that leave text the least contrast; panel.css has them, too. */
const LIGHT_GROUND: Rgb = [246, 247, 249];
const DARK_GROUND: Rgb = [37, 40, 45];
/** Of text, by WCAG 2.2, 1.4.3. */
const MIN_CONTRAST = 4.5;
/** Of the shape of a button, by WCAG 2.2, 1.4.11. */
const MIN_SHAPE_CONTRAST = 3;
/** Many: a shape that stands out on dark grounds and carries white text is in a narrow range. */
const MAX_STEPS = 256;

/**
 * The stylesheet that gives buttons, links and marks a colour of the host, corrected where it could
 * not be read: text on a light fill is black, and links are darkened on light grounds and lightened
 * on dark ones until they stand out, as are buttons on dark grounds.
 *
 * @throws TypeError unless the colour is `#rrggbb`
 */
export function accentStyles(color: unknown): string {
  if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color)) {
    throw new TypeError('accentColor must be a colour of six hexadecimal digits, such as #0b6e4f');
  }
  const accent: Rgb = [channel(color, 1), channel(color, 3), channel(color, 5)];
  const filledInDark = distinct(accent, [DARK_GROUND], WHITE, MIN_SHAPE_CONTRAST);
  const light = mixed(accent, WHITE, 0.88);
  const lightHover = mixed(accent, WHITE, 0.8);
  const dark = mixed(accent, DARK_GROUND, 0.7);
  const darkHover = distinct(mixed(accent, DARK_GROUND, 0.6), [WHITE], DARK_GROUND, MIN_CONTRAST);
  const values = {
    'color-indigo-filled': schemes(accent, filledInDark),
    // Darker, but lighter in the dark, where a darker one would sink into the page.
    'color-indigo-filled-hover': schemes(hovered(accent, BLACK), hovered(filledInDark, WHITE)),
    'primary-color-contrast': schemes(textOn(accent), textOn(filledInDark)),
    'color-indigo-light': schemes(light, dark),
    'color-indigo-light-hover': schemes(lightHover, darkHover),
    'color-indigo-light-color': schemes(
      distinct(accent, [light, lightHover], BLACK, MIN_CONTRAST),
      distinct(accent, [dark, darkHover], WHITE, MIN_CONTRAST),
    ),
    'color-anchor': schemes(
      distinct(accent, [LIGHT_GROUND], BLACK, MIN_CONTRAST),
      distinct(accent, [DARK_GROUND], WHITE, MIN_CONTRAST),
    ),
  };
  const lines = Object.entries(values).map(([name, value]) => `  --mantine-${name}: ${value};\n`);
  return `:root[data-mantine-color-scheme] {\n${lines.join('')}}\n`;
}

function channel(color: string, at: number): number {
  return Number.parseInt(color.slice(at, at + 2), 16);
}

/** White where it can be read; black can be read wherever white cannot. */
function textOn(fill: Rgb): Rgb {
  return contrastOf(fill, WHITE) >= MIN_CONTRAST ? WHITE : BLACK;
}

/** The fill under the pointer: nearer to `end`, as far as its text allows. */
function hovered(fill: Rgb, end: Rgb): Rgb {
  const text = textOn(fill);
  return distinct(mixed(fill, end, 0.15), [text], text === WHITE ? BLACK : WHITE, MIN_CONTRAST);
}

/** The nearest colour to `color`, on the way to `end`, that has the contrast with each ground. */
function distinct(color: Rgb, grounds: readonly Rgb[], end: Rgb, contrast: number): Rgb {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const candidate = mixed(color, end, step / MAX_STEPS);
    if (grounds.every((ground) => contrastOf(candidate, ground) >= contrast)) return candidate;
  }
  return end;
}

function mixed([red, green, blue]: Rgb, [otherRed, otherGreen, otherBlue]: Rgb, share: number): Rgb {
  const mix = (one: number, other: number) => Math.round(one + (other - one) * share);
  return [mix(red, otherRed), mix(green, otherGreen), mix(blue, otherBlue)];
}

/** From 1 to 21, by WCAG 2.2. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function css(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function schemes(light: Rgb, dark: Rgb): string {
  return `light-dark(${css(light)}, ${css(dark)})`;
}
