import { describe, expect, it } from 'vitest';
import { createWaitingWrites, refusal } from '../../src/group-commit/waiting-writes.ts';

function waitingOf(...sizes: readonly number[]) {
  const waiting = createWaitingWrites<{ readonly size: number }>();
  for (const size of sizes) waiting.push({ size });
  return waiting;
}

describe('waiting writes', () => {
  it('are taken in the order in which they came, and count no longer then', () => {
    const waiting = waitingOf(3, 5, 7);
    expect([waiting.length(), waiting.size()]).toEqual([3, 15]);
    expect(waiting.take(2)).toEqual([{ size: 3 }, { size: 5 }]);
    expect([waiting.length(), waiting.size()]).toEqual([1, 7]);
    waiting.push({ size: 1 });
    expect(waiting.take()).toEqual([{ size: 7 }, { size: 1 }]);
    expect([waiting.length(), waiting.size(), waiting.take()]).toEqual([0, 0, []]);
  });

  it.each([
    ['fewer items than may wait', { maxWaitingItems: 4, maxWaitingSize: 100 }, undefined],
    ['as many items as may wait', { maxWaitingItems: 3, maxWaitingSize: 100 }, 'overloaded'],
    ['a size that just fits', { maxWaitingItems: 10, maxWaitingSize: 20 }, undefined],
    ['a size that no longer fits', { maxWaitingItems: 10, maxWaitingSize: 19 }, 'overloaded'],
  ])('admit or refuse one more by what waits: %s', (_, bounds, code) => {
    expect(refusal(bounds, 5, waitingOf(3, 5, 7))?.code).toBe(code);
  });
});
