/**
 * Matches a character that no name has: control characters, line and paragraph separators, halves
 * of surrogate pairs, and the controls that turn the direction of the text around them.
 */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]/u;

/**
 * True for a text that every log and page shows on one line and in the order in which it stands.
 *
 * Databases keep it as it is, too: PostgreSQL refuses U+0000, and UTF-8 has no half of a surrogate
 * pair. The joiners that names and emoji need (U+200C, U+200D) are allowed.
 */
export function isPlainLine(text: string): boolean {
  return !UNFIT.test(text);
}
