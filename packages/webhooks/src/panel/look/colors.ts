/** A colour as red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];
/** Of text, by WCAG 2.2, 1.4.3. */
export const MIN_CONTRAST = 4.5;
/** Of the shape of a button, by WCAG 2.2, 1.4.11. */
export const MIN_SHAPE_CONTRAST = 3;
/** Many: a shape that stands out on dark grounds and carries white text is in a narrow range. */
const MAX_STEPS = 256;

/** Reads `#rrggbb`; undefined for anything else. */
export function rgbOf(color: unknown): Rgb | undefined {
  if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color)) return undefined;
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Writes `#rrggbb`. */
export function hexOf(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The nearest colour to `color`, on the way to `end`, that has the contrast with each ground. */
export function distinct(color: Rgb, grounds: readonly Rgb[], end: Rgb, contrast: number): Rgb {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const candidate = mixed(color, end, step / MAX_STEPS);
    if (grounds.every((ground) => contrastOf(candidate, ground) >= contrast)) return candidate;
  }
  return end;
}

export function mixed([red, green, blue]: Rgb, [otherRed, otherGreen, otherBlue]: Rgb, share: number): Rgb {
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
