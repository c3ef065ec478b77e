/** In characters. A longer path is not worth coming back to. */
const MAX_PATH_LENGTH = 2_048;

/**
 * Matches a text that is no path of this origin: it begins with anything but a slash, or has two
 * slashes in its path, a backslash, which URL parsing takes for a slash, or a control character,
 * which it removes. In the path, their percent-encoding counts too: servers decode it.
 */
const FOREIGN = /^(?!\/)|^[^?#]*(?:(?:\/|%2f){2}|%(?:[01]|5c|7f))|[\\\p{Cc}]/iu;

/**
 * True for a path, with or without query and fragment, of at most 2,048 characters that every
 * browser resolves to the page's own origin, decoded by a server or not.
 */
export function isLocalPath(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_PATH_LENGTH && !FOREIGN.test(text);
}
