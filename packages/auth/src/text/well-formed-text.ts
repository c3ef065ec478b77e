/**
 * Tells whether a text holds half of a surrogate pair.
 *
 * UTF-8 encoders replace such a half by U+FFFD, so that two different texts would become the same
 * bytes: the same password, the same key, the same user.
 */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}
