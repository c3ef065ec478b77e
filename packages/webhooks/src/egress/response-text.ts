/** The most of a response body that is kept, in bytes of UTF-8. */
export const MAX_KEPT_BODY_BYTES = 4096;

/**
 * The most leading bytes that can influence the kept text: decoding never shortens (an invalid byte becomes
 * the three bytes of U+FFFD), and a character that begins within the limit ends at most 3 bytes behind it.
 */
export const MAX_DECODED_BYTES = MAX_KEPT_BODY_BYTES + 3;

// `ignoreBOM` keeps a byte order mark as text: stripping it would break the arithmetic above.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Decodes the start of a response body to text that any database stores.
 *
 * Invalid UTF-8 and U+0000 (which PostgreSQL refuses) become U+FFFD; then the text is cut to at most
 * 4,096 bytes of UTF-8, between two characters. A compressed body is not expanded.
 */
export function responseText(start: Uint8Array): string {
  const text = decoder.decode(start.subarray(0, MAX_DECODED_BYTES)).replaceAll('\u0000', '\uFFFD');
  // A character of UTF-16 is at most three bytes: most answers are short, and need no buffer to be measured in.
  if (3 * text.length <= MAX_KEPT_BODY_BYTES) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(MAX_KEPT_BODY_BYTES));
  return text.slice(0, read);
}
