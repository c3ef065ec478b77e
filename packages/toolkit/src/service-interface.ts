/** The names of an interface's methods that are not optional. */
type RequiredMethod<Service> = {
  [Name in keyof Service & string]-?: Service[Name] extends (...args: never) => unknown ? Name : never;
}[keyof Service & string];

/**
 * What an object of the host's must be able to do, and the name under which that is documented.
 *
 * @typeParam Fact what is said of each method
 */
export interface ServiceInterface<Service, Fact = true> {
  readonly name: string;
  /**
   * Every method that is not optional. As a record it makes the compiler refuse a list that lacks
   * one, which an array cannot.
   */
  readonly methods: Readonly<Record<RequiredMethod<Service>, Fact>>;
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
  { name: type, methods: required }: ServiceInterface<Service, unknown>,
): string | undefined {
  const methods = Object.keys(required);
  if (typeof value !== 'object' || value === null) {
    return `${name} must be an object with the methods of ${type}: ${methods.join(', ')}`;
  }
  const missing = methods.filter((method) => typeof Reflect.get(value, method) !== 'function');
  if (missing.length === 0) return undefined;
  return `${name} lacks the ${missing.length === 1 ? 'method' : 'methods'} ${missing.join(', ')} of ${type}`;
}
