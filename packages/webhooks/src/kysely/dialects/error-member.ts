/** What an error of some driver says under a name; undefined where it says nothing. */
export function memberOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
