/**
 * Matches a character that no name has: control characters, line and paragraph separators, halves
 * of surrogate pairs, and the controls that turn the direction of the text around them.
 */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u202A-\u202E\u2066-\u2069]/u;

/**
 * True for a text that every log and page shows on one line and in the order in which it stands.
 *
 * Databases keep it as it is, too: PostgreSQL refuses U+0000, and UTF-8 has no half of a surrogate
 * pair. The marks that right-to-left names and emoji need (U+200C to U+200F) are allowed.
 */
export function isPlainLine(text: string): boolean {
  return !UNFIT.test(text);
}
