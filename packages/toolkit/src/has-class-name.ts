/**
 * The most prototypes that are looked at: what is recognised this way is one or two classes deep.
 */
const MAX_DEPTH = 8;

/**
 * Returns true if an object is an instance of a class of that name, by its prototypes. This
 * recognises an instance of another copy of a package, where `instanceof` does not: an application
 * may load both the ESM and the CommonJS build of one.
 */
export function hasClassName(value: object, name: string): boolean {
  let prototype: unknown = Object.getPrototypeOf(value);
  for (let depth = 0; depth < MAX_DEPTH && typeof prototype === 'object' && prototype !== null; depth++) {
    if (prototype.constructor.name === name) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}
