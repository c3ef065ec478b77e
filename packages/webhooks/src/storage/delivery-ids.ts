import { randomBytes } from 'node:crypto';

/** Characters of a delivery's id. */
export const ID_LENGTH = 32;
/** Hexadecimal digits of an id that are random. */
const RANDOM_DIGITS = 18;
/** Ids that one call of the generator answers: each call takes 3 µs, of which the bytes of one id are hardly anything. */
const IDS_PER_DRAW = 64;

/**
 * How an id begins that is made now: a UUID of version 7 (RFC 9562, section 5.7) in hexadecimal without hyphens. New ids are
 * neighbours in an index, where random ones would touch a page each.
 */
export function idPrefix(): string {
  return `${Date.now().toString(16).padStart(12, '0')}7`;
}

/** What stands between the first three random digits and the others: the variant. */
export const ID_VARIANT = '8';

/** So many ids one behind the other. */
export function drawIds(count: number): string {
  const prefix = idPrefix();
  const random = randomBytes((RANDOM_DIGITS / 2) * count).toString('hex');
  let ids = '';
  for (let start = 0; start < random.length; start += RANDOM_DIGITS) {
    const rest = random.slice(start + 3, start + RANDOM_DIGITS);
    ids += prefix + random.slice(start, start + 3) + ID_VARIANT + rest;
  }
  return ids;
}

/** The first ids of a draw. */
export function firstIds(ids: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => idAt(ids, index));
}

/** Ids one by one, for many small draws of one moment. */
export function createIds(): () => string {
  let ids = '';
  let used = IDS_PER_DRAW;
  return () => {
    if (used === IDS_PER_DRAW) [ids, used] = [drawIds(IDS_PER_DRAW), 0];
    return idAt(ids, used++);
  };
}

function idAt(ids: string, index: number): string {
  return ids.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH);
}
