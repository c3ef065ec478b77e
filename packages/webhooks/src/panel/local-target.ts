/** True for a path, with or without a query, that no browser resolves to another host. */
export function isLocalTarget(target: unknown): target is string {
  if (typeof target !== 'string' || !/^\/(?![/\\])[^#\\]*$/.test(target)) return false;
  const url = new URL(target, 'http://localhost');
  return `${url.pathname}${url.search}` === target;
}
