import { lackOf, type ServiceInterface } from './service-interface.ts';

/**
 * Reads a whole-number option.
 *
 * @throws TypeError naming the option, what was given and the bounds
 */
export function integerOption(
  name: string,
  value: number | undefined,
  bounds: { readonly default?: number; readonly min: number; readonly max: number },
): number {
  const number: unknown = value ?? bounds.default;
  if (
    typeof number === 'number' &&
    Number.isSafeInteger(number) &&
    number >= bounds.min &&
    number <= bounds.max
  ) {
    return number;
  }
  throw new TypeError(
    `${name} must be an integer from ${bounds.min} to ${bounds.max}, not ${describeValue(number)}`,
  );
}

/**
 * Reads an option that is a function.
 *
 * @throws TypeError naming the option and what was given
 */
export function functionOption<F>(name: string, value: F | undefined, fallback: F): F {
  const chosen: unknown = value ?? fallback;
  if (typeof chosen === 'function') return value ?? fallback;
  throw new TypeError(`${name} must be a function, not ${describeValue(chosen)}`);
}

/**
 * Reads an option that is true or false.
 *
 * @throws TypeError naming the option and what was given
 */
export function booleanOption(name: string, value: boolean | undefined, fallback: boolean): boolean {
  const chosen: unknown = value ?? fallback;
  if (typeof chosen === 'boolean') return chosen;
  throw new TypeError(`${name} must be true or false, not ${describeValue(chosen)}`);
}

/**
 * Reads an option that is an object with certain methods.
 *
 * @throws TypeError naming the option, the methods that it lacks and their interface
 */
export function serviceOption<Service extends object>(
  name: string,
  value: Service,
  wanted: ServiceInterface<Service, unknown>,
): Service {
  const lack = lackOf(name, value, wanted);
  if (lack !== undefined) throw new TypeError(lack);
  return value;
}

/**
 * Reads an option that is an object.
 *
 * @throws TypeError naming the option and what was given
 */
export function objectOption<Given extends object>(name: string, value: Given): Given {
  const given: unknown = value;
  if (typeof given === 'object' && given !== null) return value;
  throw new TypeError(`${name} must be an object, not ${describeValue(given)}`);
}

/**
 * Refuses a misspelt option.
 *
 * @throws TypeError naming the unknown option and the known ones
 */
export function refuseUnknownOptions(name: string, options: object, known: Iterable<string>): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${name} takes an object of options, not ${describeValue(given)}`);
  }
  const names = [...known];
  const unknown = Object.keys(options).find((key) => !names.includes(key));
  if (unknown === undefined) return;
  throw new TypeError(`${name}: unknown option ${JSON.stringify(unknown)} (known: ${names.join(', ')})`);
}

/**
 * Refuses null in place of an option, which would otherwise stand for its default.
 *
 * @throws TypeError naming the option
 */
export function refuseNullOptions(name: string, options: object): void {
  const option = Object.entries(options).find(([, value]) => value === null)?.[0];
  if (option === undefined) return;
  throw new TypeError(`${name}: ${option} must not be null`);
}

/**
 * A value as an error message shows it: numbers and booleans themselves, anything else by its type
 * alone.
 */
function describeValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
