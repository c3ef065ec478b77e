/** How many of the slots suspects may occupy: half. A single slot is not divided. */
export function slotsOfSuspects(concurrency: number): number {
  return Math.floor(concurrency / 2);
}

/**
 * How many of the slots suspects may occupy while no other webhook has anything due: all but the
 * last fifth, which is one slot at least.
 */
export function maxSlotsOfSuspects(concurrency: number): number {
  return concurrency - Math.max(1, Math.ceil(concurrency / 5));
}
