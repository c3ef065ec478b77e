/**
 * Validates a whole-number option and gives it back.
 *
 * @throws TypeError naming the option, the value and the bounds
 */
export function integerOption(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new TypeError(`${name} must be a whole number from ${min} to ${max}, got ${String(value)}`);
  }
  return value;
}
