/**
 * Tells whether a text holds half of a surrogate pair.
 *
 * UTF-8 encoders replace such a half by U+FFFD, so that two different texts would become the same
 * bytes: the same password, the same key, the same user.
 */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

/**
 * Tells whether a value is text of 1 to that many characters that every database stores as it is:
 * PostgreSQL refuses U+0000.
 */
export function isBoundedText(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || value.length < 1 || value.length > maxLength) return false;
  return !value.includes('\0') && !hasLoneSurrogate(value);
}
