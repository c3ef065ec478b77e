const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Writes a non-negative integer in base 62, most significant digit first, padded with `0` to
 * `length`.
 *
 * @throws RangeError when the value does not fit
 */
export function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < length; digit += 1) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  if (rest !== 0n) throw new RangeError(`The value does not fit ${length} base62 characters`);
  return text;
}
