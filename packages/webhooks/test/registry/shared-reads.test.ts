import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSharedReads } from '../../src/registry/shared-reads.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

beforeEach(() => {
  vi.useFakeTimers();
  // Those of the test before: the order of tests differs.
  vi.clearAllTimers();
});

describe('a read under way', () => {
  /** A read that ends when it is told to, with its number. */
  function heldRead() {
    const share = createSharedReads();
    const ends: { readonly succeed: () => void; readonly fail: () => void }[] = [];
    const read = () =>
      share(['held'], () => {
        const number = ends.length + 1;
        return new Promise<number>((resolve, reject) => {
          ends.push({ succeed: () => resolve(number), fail: () => reject(new Error('away')) });
        });
      });
    return { read, ends };
  }

  it('is followed by one for all who ask meanwhile, after what they may have changed', async () => {
    const { read, ends } = heldRead();
    const first = read();
    const others = [read(), read(), read()];
    expect(ends).toHaveLength(1);
    ends[0]?.succeed();
    expect(await first).toBe(1);
    await vi.waitFor(() => expect(ends).toHaveLength(2), 60_000);
    ends[1]?.succeed();
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
  });

  it('serves them, if it was slow', async () => {
    const { read, ends } = heldRead();
    const all = [read(), read(), read()];
    await vi.advanceTimersByTimeAsync(300);
    ends[0]?.succeed();
    expect(await Promise.all(all)).toEqual([1, 1, 1]);
  });

  it('tells its failure to those alone who asked for it', async () => {
    const { read, ends } = heldRead();
    const first = expect(read()).rejects.toThrow('away');
    const other = read();
    await vi.advanceTimersByTimeAsync(300);
    ends[0]?.fail();
    await first;
    await vi.waitFor(() => expect(ends).toHaveLength(2), 60_000);
    ends[1]?.succeed();
    expect(await other).toBe(2);
  });

  it('is waited for 30 s if it never ends', async () => {
    const { read, ends } = heldRead();
    void read();
    const other = read();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    ends[1]?.succeed();
    expect(await other).toBe(2);
  });
});

describe('a read that has ended', () => {
  /** A read that takes so long, with its number. */
  function slowRead(ms: number, keptMs?: () => number) {
    const share = createSharedReads();
    let begun = 0;
    const readAs = (key: number, kind = 'slow') =>
      share(
        [kind, key],
        async () => {
          begun += 1;
          const number = begun;
          await vi.advanceTimersByTimeAsync(ms);
          return number;
        },
        keptMs,
      );
    return { readAs, read: () => readAs(0) };
  }

  it('is repeated each time if it was fast', async () => {
    const { read } = slowRead(100);
    expect([await read(), await read()]).toEqual([1, 2]);
  });

  it('is kept for ten times as long as it took, if it was slow', async () => {
    const { read } = slowRead(300);
    expect(await read()).toBe(1);
    vi.advanceTimersByTime(2_900);
    expect(await read()).toBe(1);
    vi.advanceTimersByTime(200);
    expect(await read()).toBe(2);
  });

  it('is kept for no longer than 15 s', async () => {
    const { read } = slowRead(5_000);
    await read();
    vi.advanceTimersByTime(15_001);
    expect(await read()).toBe(2);
  });

  it('is kept for as long as its kind says', async () => {
    const { read } = slowRead(100, () => 60_000);
    await read();
    vi.advanceTimersByTime(59_000);
    expect(await read()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(await read()).toBe(2);
  });

  it.each([
    { kind: 'numbers', most: 4_000 },
    { kind: 'hours', most: 200 },
  ])('of $kind is kept among the $most that were asked for last, with a timer', async ({ kind, most }) => {
    const { readAs } = slowRead(1, () => 3_600_000);
    // Of other tests in this process.
    const others = vi.getTimerCount();
    expect(await readAs(0, 'other')).toBe(1);
    for (let key = 0; key < most; key += 1) await readAs(key, kind);
    expect(await readAs(0, kind)).toBe(2);
    expect(await readAs(most, kind)).toBe(most + 2);
    expect(vi.getTimerCount()).toBe(others + most + 1);
    expect([await readAs(2, kind), await readAs(1, kind)]).toEqual([4, most + 3]);
    expect(await readAs(0, 'other')).toBe(1);
  });

  it('is not kept if it failed', async () => {
    const share = createSharedReads();
    let fails = true;
    const read = () =>
      share(['failing'], async () => {
        await vi.advanceTimersByTimeAsync(300);
        if (fails) throw new Error('away');
        return 'there';
      });
    await expect(read()).rejects.toThrow('away');
    fails = false;
    expect(await read()).toBe('there');
  });

  it.each([100, 300])('is let go of, if it took %i ms, once nobody gets it any more', async (ms) => {
    const share = createSharedReads();
    const released: WeakRef<object>[] = [];
    await share(['large'], async () => {
      const result = { rows: Array.from({ length: 1_000 }) };
      released.push(new WeakRef(result));
      await vi.advanceTimersByTimeAsync(ms);
      return result;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    collectGarbage();
    expect(released[0]?.deref()).toBeUndefined();
    expect(share).toBeTypeOf('function');
  });
});
