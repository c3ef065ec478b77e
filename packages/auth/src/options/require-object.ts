/**
 * Refuses an argument that is no object, which plain JavaScript can pass.
 *
 * @param name the argument, as the message names it
 * @throws TypeError
 */
export function requireObject(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} must be an object`);
}
