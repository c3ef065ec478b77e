import { randomBytes } from 'node:crypto';

const ID_BYTES = 16;
/** Characters of a delivery's id. */
export const ID_LENGTH = 2 * ID_BYTES;
/** Ids that one call of the generator answers: each call takes 3 µs, of which 16 bytes are hardly anything. */
const IDS_PER_DRAW = 64;

/** So many ids one behind the other. */
export function drawIds(count: number): string {
  return randomBytes(ID_BYTES * count).toString('hex');
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
