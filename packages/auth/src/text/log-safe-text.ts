/**
 * Control and format characters, line separators and lone surrogates: what forges lines of a log.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** Bounds a text of a client, and replaces the characters that a terminal or a log would obey. */
export function logSafeText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(UNSAFE, '\uFFFD');
}
