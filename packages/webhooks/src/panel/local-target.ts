/** In characters. Browsers and proxies stop at a few thousand. */
const MAX_TARGET_LENGTH = 2_048;

/**
 * True for a path of at most 2,048 characters, with or without a query, that no browser resolves to
 * another host.
 */
export function isLocalTarget(target: unknown): target is string {
  if (typeof target !== 'string' || target.length > MAX_TARGET_LENGTH) return false;
  if (!/^\/(?![/\\])[^#\\]*$/.test(target)) return false;
  const url = new URL(target, 'http://localhost');
  return `${url.pathname}${url.search}` === target;
}
