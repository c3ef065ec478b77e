import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createBlockedDispatches, type KeyedRecord } from '../../src/dispatch/blocked-dispatches.ts';
import type { DispatchReceipt, DispatchRecord } from '../../src/storage/delivery-requests.ts';

const BOUNDS = { maxWaitingItems: 1_000, maxWaitingSize: 1_000_000 };

function record(idempotencyKey: string, payload = '{}'): KeyedRecord {
  return { event: 'order.paid', payload, createdAt: '', target: { patterns: [] }, idempotencyKey };
}

/** Another transaction holds these keys; a try takes ten milliseconds. */
function heldKeys(...keys: readonly string[]) {
  const held = new Set(keys);
  const tries: string[] = [];
  let [underWay, mostAtOnce] = [0, 0];
  const commit = async ([only]: readonly DispatchRecord[]): Promise<DispatchReceipt[]> => {
    const key = only?.idempotencyKey ?? '';
    tries.push(key);
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    await new Promise((resolve) => setTimeout(resolve, 10));
    underWay -= 1;
    return [{ outcome: held.has(key) ? 'blocked' : 'written', deliveryIds: [] }];
  };
  return { held, tries, commit, mostAtOnce: () => mostAtOnce };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

describe('dispatches that met a held key', () => {
  it('are written at once where it was another key that was held', async () => {
    const { commit } = heldKeys('held');
    const blocked = createBlockedDispatches(commit, BOUNDS);
    blocked.add(record('held')).catch(() => undefined);
    const free = Promise.all(Array.from({ length: 40 }, (_, n) => blocked.add(record(`free ${n}`))));
    await vi.advanceTimersByTimeAsync(200);
    expect(await free).toHaveLength(40);
    expect([blocked.isBlocked(record('held')), blocked.isBlocked(record('free 1'))]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(20_000);
  });

  it('are tried one by one of each key, and of four keys at once', async () => {
    const { commit, tries, mostAtOnce } = heldKeys('a', 'b', 'c', 'd', 'e');
    const blocked = createBlockedDispatches(commit, BOUNDS);
    for (const key of 'aaabcde') blocked.add(record(key)).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(25);
    expect(tries).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(mostAtOnce()).toBe(4);
    await vi.advanceTimersByTimeAsync(20_000);
  });

  it('are written in their order once the key is free', async () => {
    const { commit, held } = heldKeys('k');
    const blocked = createBlockedDispatches(commit, BOUNDS);
    const order: number[] = [];
    const all = [1, 2, 3].map((n) => blocked.add(record('k')).then(() => order.push(n)));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(order).toEqual([]);
    held.clear();
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
    await blocked.idle();
  });

  it('are refused after ten seconds, all of them, and their key is tried again for the next', async () => {
    const { commit, held } = heldKeys('k');
    const blocked = createBlockedDispatches(commit, BOUNDS);
    const all = Promise.allSettled(Array.from({ length: 100 }, () => blocked.add(record('k'))));
    await vi.advanceTimersByTimeAsync(10_200);
    const reason = expect.objectContaining({
      code: 'storage_unavailable',
      message: expect.stringContaining('10 s'),
    });
    expect(await all).toEqual(Array.from({ length: 100 }, () => ({ status: 'rejected', reason })));
    held.clear();
    const next = blocked.add(record('k'));
    await vi.advanceTimersByTimeAsync(10);
    expect(await next).toMatchObject({ outcome: 'written' });
  });

  it('are tried once more after an error, and rejected with the second', async () => {
    const errors = [new Error('lost'), new Error('away')];
    const blocked = createBlockedDispatches(() => Promise.reject(errors.shift()), BOUNDS);
    await expect(blocked.add(record('k'))).rejects.toThrow('away');
  });

  it('are refused beyond what may wait, by number and by size', async () => {
    const { commit, held } = heldKeys('k');
    const blocked = createBlockedDispatches(commit, { maxWaitingItems: 2, maxWaitingSize: 10 });
    const first = blocked.add(record('k', '12345678'));
    await expect(blocked.add(record('k', '123'))).rejects.toMatchObject({ code: 'overloaded' });
    const second = blocked.add(record('k', '1'));
    await expect(blocked.add(record('k', '1'))).rejects.toMatchObject({ code: 'overloaded' });
    held.clear();
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all([first, second])).toHaveLength(2);
    const third = blocked.add(record('k', '1234567890'));
    await vi.advanceTimersByTimeAsync(10);
    await third;
  });

  it('are rejected at once when they are abandoned, and none is written any more', async () => {
    const { commit, tries } = heldKeys('k');
    const blocked = createBlockedDispatches(commit, BOUNDS);
    const all = Promise.allSettled([blocked.add(record('k')), blocked.add(record('k'))]);
    await vi.advanceTimersByTimeAsync(100);
    const before = tries.length;
    const reason = new Error('closed');
    blocked.abandon(reason);
    expect(await all).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
    await expect(blocked.add(record('k'))).rejects.toThrow('closed');
    await vi.advanceTimersByTimeAsync(1_000);
    await blocked.idle();
    expect(tries).toHaveLength(before);
  });
});
