import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, it, vi } from 'vitest';
import { keptIfSlow } from '../../../src/registry/overview/kept-if-slow.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

beforeEach(() => {
  vi.useFakeTimers();
});

/** A read that takes so long, and how often it was begun. */
function slowRead(ms: number) {
  let begun = 0;
  const read = keptIfSlow(async () => {
    begun += 1;
    const number = begun;
    await vi.advanceTimersByTimeAsync(ms);
    return number;
  });
  return { read, begun: () => begun };
}

it('reads anew each time what is fast', async () => {
  const { read } = slowRead(100);
  expect([await read(), await read()]).toEqual([1, 2]);
});

it('keeps what was slow for ten times as long', async () => {
  const { read } = slowRead(300);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(2_900);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(await read()).toBe(2);
});

it('keeps nothing for longer than 15 s', async () => {
  const { read } = slowRead(5_000);
  await read();
  vi.advanceTimersByTime(15_001);
  expect(await read()).toBe(2);
});

it.each([100, 300])('lets go of what took %i ms, once nobody gets it any more', async (ms) => {
  const released: WeakRef<object>[] = [];
  const read = keptIfSlow(async () => {
    const result = { rows: Array.from({ length: 1_000 }) };
    released.push(new WeakRef(result));
    await vi.advanceTimersByTimeAsync(ms);
    return result;
  });
  await read();
  await vi.advanceTimersByTimeAsync(4_000);
  collectGarbage();
  expect(released[0]?.deref()).toBeUndefined();
  expect(read).toBeTypeOf('function');
});

it('lets those who ask meanwhile share one read', async () => {
  const { read, begun } = slowRead(100);
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(begun()).toBe(1);
});

it('keeps no failure', async () => {
  let fails = true;
  const read = keptIfSlow(async () => {
    await vi.advanceTimersByTimeAsync(300);
    if (fails) throw new Error('away');
    return 'there';
  });
  await expect(read()).rejects.toThrow('away');
  fails = false;
  expect(await read()).toBe('there');
});

it('begins another read 30 s after one that does not end', async () => {
  let begun = 0;
  const read = keptIfSlow(() => {
    begun += 1;
    return begun === 1 ? new Promise<string>(() => undefined) : Promise.resolve('there');
  });
  const hung = read();
  vi.advanceTimersByTime(29_000);
  expect(read()).toBe(hung);
  vi.advanceTimersByTime(1_001);
  expect(await read()).toBe('there');
});
