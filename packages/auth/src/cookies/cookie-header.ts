/** How many cookies of one name are read: more than a set of nested paths explains is an attack. */
export const MAX_COOKIES_PER_NAME = 4;

/**
 * Longer than any `Cookie` header that Node's parser lets through by default (16 KiB for all
 * headers together).
 */
export const MAX_COOKIE_HEADER_LENGTH = 65_536;

/**
 * Reads the values of every cookie of one name, in the order sent, up to `limit`.
 *
 * Browsers send one cookie per path that matches, so one name may come several times, and its order
 * says nothing about who set it. Names compare exactly; only SP and HTAB are trimmed (RFC 6265bis
 * section 5.6: anything wider, such as U+00A0, lets `\u00A0__Host-x` pass for `__Host-x`); a pair
 * without a name is ignored; values are taken as they are, without decoding. Never throws, whatever
 * the header holds.
 */
export function readCookieValues(header: string, name: string, limit: number): string[] {
  const values: string[] = [];
  if (header.length > MAX_COOKIE_HEADER_LENGTH) return values;
  let start = 0;
  while (start < header.length && values.length < limit) {
    const semicolon = header.indexOf(';', start);
    const end = semicolon === -1 ? header.length : semicolon;
    // Looking for `=` in the pair alone keeps the work linear for a header of semicolons.
    const pair = header.slice(start, end);
    const equals = pair.indexOf('=');
    if (equals !== -1 && trimSpace(pair.slice(0, equals)) === name)
      values.push(trimSpace(pair.slice(equals + 1)));
    start = end + 1;
  }
  return values;
}

function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
