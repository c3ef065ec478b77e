/** What an object of the host's must be able to do, and the name under which that is documented. */
export interface ServiceInterface<Service> {
  readonly name: string;
  /** Every method that is not optional. */
  readonly methods: readonly (keyof Service & string)[];
}

/**
 * Says which methods of an interface a value lacks: all of them, so that a host sees what is left
 * to implement.
 *
 * @returns a sentence that begins with `name`, or `undefined` if nothing is missing
 */
export function lackOf<Service>(
  name: string,
  value: unknown,
  { name: type, methods }: ServiceInterface<Service>,
): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return `${name} must be an object with the methods of ${type}: ${methods.join(', ')}`;
  }
  const missing = methods.filter((method) => typeof Reflect.get(value, method) !== 'function');
  if (missing.length === 0) return undefined;
  return `${name} lacks the ${missing.length === 1 ? 'method' : 'methods'} ${missing.join(', ')} of ${type}`;
}
