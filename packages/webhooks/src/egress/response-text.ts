import { utf8Prefix } from './utf8-prefix.ts';

/**
 * The maximum size of what is stored of a response, in bytes of UTF-8: headers and body together.
 */
const MAX_KEPT_RESPONSE_BYTES = 4096;

/**
 * The most leading bytes that can influence the stored text. Decoding never shortens the text,
 * because an invalid byte becomes the three bytes of U+FFFD. A character that begins within the
 * limit ends at most 3 bytes after it.
 */
export const MAX_DECODED_BYTES = MAX_KEPT_RESPONSE_BYTES + 3;

// `ignoreBOM` keeps a byte order mark as text: stripping it would break the arithmetic above.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Decodes the start of a response body to text that any database stores.
 *
 * Invalid UTF-8 and U+0000, which PostgreSQL refuses, become U+FFFD. The text is then truncated to
 * at most 4,096 bytes of UTF-8, less those of the kept headers, between two characters. A
 * compressed body is not decompressed.
 */
export function responseText(start: Uint8Array, headerBytes = 0): string {
  const text = decoder.decode(start.subarray(0, MAX_DECODED_BYTES)).replaceAll('\u0000', '\uFFFD');
  return utf8Prefix(text, MAX_KEPT_RESPONSE_BYTES - headerBytes);
}
