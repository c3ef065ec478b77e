/** In characters. A longer path is not worth coming back to. */
const MAX_PATH_LENGTH = 2_048;

/** How often a path is decoded. One that could be decoded once more is refused. */
const MAX_DECODINGS = 4;

/**
 * True for a path, with or without query and fragment, of at most 2,048 characters that every
 * browser resolves to the page's own origin, however often servers decode it on the way.
 */
export function isLocalPath(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > MAX_PATH_LENGTH || /[\\\p{Cc}]/u.test(text)) return false;
  return staysLocal(text.replace(/[?#].*/, ''), MAX_DECODINGS);
}

/**
 * False for a path that begins with anything but a slash, or has two slashes, a backslash, which
 * URL parsing takes for a slash, or an ASCII control character, which it removes.
 */
function staysLocal(path: string, decodings: number): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  if (/^(?!\/)|\/\/|[\\\0-\x1f\x7f]/.test(path)) return false;
  // Not decodeURIComponent, which throws for a sequence that other servers leave as it is.
  const decoded = unescape(path);
  return decoded === path || (decodings > 0 && staysLocal(decoded, decodings - 1));
}
