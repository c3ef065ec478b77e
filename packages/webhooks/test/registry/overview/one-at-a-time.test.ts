import { beforeEach, expect, it, vi } from 'vitest';
import { oneAtATime } from '../../../src/registry/overview/one-at-a-time.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** A read that ends when it is told to, with its number. */
function heldRead() {
  const ends: { readonly succeed: () => void; readonly fail: () => void }[] = [];
  const read = oneAtATime(() => {
    const number = ends.length + 1;
    return new Promise<number>((resolve, reject) => {
      ends.push({ succeed: () => resolve(number), fail: () => reject(new Error('away')) });
    });
  });
  return { read, ends };
}

it('reads once for all who ask meanwhile, after what they may have changed', async () => {
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

it('reads anew for who asks later', async () => {
  const { read, ends } = heldRead();
  const first = read();
  ends[0]?.succeed();
  await first;
  const later = read();
  ends[1]?.succeed();
  expect(await later).toBe(2);
});

it('begins the next after a failure, which is told to those alone who asked for it', async () => {
  const { read, ends } = heldRead();
  const first = expect(read()).rejects.toThrow('away');
  const other = read();
  ends[0]?.fail();
  await first;
  await vi.waitFor(() => expect(ends).toHaveLength(2), 60_000);
  ends[1]?.succeed();
  expect(await other).toBe(2);
});

it('waits 30 s for a read that never ends', async () => {
  const { read, ends } = heldRead();
  void read();
  const other = read();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  ends[1]?.succeed();
  expect(await other).toBe(2);
});
