/**
 * Leaves members of an error out of `console.log` and of enumerations. They can be read as before.
 */
export function printWithout<E extends Error>(error: E, members: readonly (keyof E)[]): void {
  for (const member of members) Object.defineProperty(error, member, { enumerable: false });
}
