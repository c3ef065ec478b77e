import { describe, expect, it } from 'vitest';
import { maxSlotsOfSuspects, slotsOfSuspects } from '../../../src/delivery/claim/suspect-slots.ts';

describe('the suspects of a process', () => {
  it.each([
    [2, 1, 1],
    [3, 1, 2],
    [5, 2, 4],
    [10, 5, 8],
    [50, 25, 40],
    [1_000, 500, 800],
  ])(
    'may occupy, of %i slots, %i, and %i while no other webhook has anything due',
    (concurrency, half, most) => {
      expect([slotsOfSuspects(concurrency), maxSlotsOfSuspects(concurrency)]).toEqual([half, most]);
    },
  );

  it('may never occupy a single slot by right', () => {
    expect([slotsOfSuspects(1), maxSlotsOfSuspects(1)]).toEqual([0, 0]);
  });
});
