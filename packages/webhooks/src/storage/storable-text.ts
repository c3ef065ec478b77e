/**
 * Tells whether every database keeps the text as it is. PostgreSQL refuses U+0000 and some SQLite
 * drivers cut it off. Half of a surrogate pair becomes U+FFFD on its way to UTF-8, so that two
 * texts could become one.
 */
export function isStorableText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
