/**
 * Characters without a width of their own: they turn the direction of text, hide a difference, or
 * carry text that nobody sees. One of Mongolian, Thai, Arabic or Indic writing, or of emoji, is
 * none of them in its place: after a letter without case, a mark, an emoji or a Persian digit, and
 * neither before another of them nor at the end.
 */
export const HIDDEN =
  /((?=\p{DI})(?!(?<=[\p{Lo}\p{M}\p{EPres}\u06F0-\u06F9])[\u180E\u200B-\u200D]\P{Cf})\p{Cf})/gu;

/** As JavaScript writes it, with its end in sight: `202e` alone would run into letters after it. */
export function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** `VisibleText` where only text can be, as in a tooltip. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}
