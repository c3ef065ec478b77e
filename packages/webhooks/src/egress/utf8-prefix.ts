const encoder = new TextEncoder();

/** The start of a text: at most `maxBytes` of UTF-8, cut between two characters. */
export function utf8Prefix(text: string, maxBytes: number): string {
  // A UTF-16 code unit takes at most three bytes, so that a short text fits without being measured.
  if (3 * text.length <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
