/**
 * Reads an absolute URL. `undefined` if the text is not a URL.
 *
 * `URL.canParse` would say it without an exception. On Node 20 and 22, though, once a process has
 * called it a few thousand times, it takes every text with a character from U+0080 to U+00FF for
 * malformed: the compiled call reads Latin-1 as UTF-8. Use it again when Node 24 is the oldest.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
