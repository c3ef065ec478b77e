import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackgroundWork, type WorkSource } from '../../src/one-time-tokens/background-work.ts';

const DELAY_MS = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Lets every delay pass. */
const delaysPass = () => vi.advanceTimersByTimeAsync(DELAY_MS);

function createWork({ maxConcurrent = 1, maxWaiting = 100, maxDelayMs = DELAY_MS } = {}) {
  return createBackgroundWork({ maxConcurrent, maxWaiting, maxDelayMs });
}

function from(key: string, maxWaiting = 100): WorkSource {
  return { key, maxWaiting };
}

/** Work that ends when it is told to. */
function held() {
  let finish = () => {};
  let hasBegun = false;
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = async () => {
    hasBegun = true;
    await end;
  };
  return { work, finish: () => finish(), hasBegun: () => hasBegun };
}

describe('work in the background', () => {
  it('begins only in a later turn of the event loop', async () => {
    const background = createWork({ maxDelayMs: 0 });
    const one = held();
    background.add(one.work, from('a'));
    for (let ticks = 0; ticks < 100; ticks += 1) await Promise.resolve();
    expect(one.hasBegun()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(one.hasBegun()).toBe(true);
    one.finish();
  });

  it('runs in the asynchronous context in which it was added, whichever work it follows', async () => {
    const request = new AsyncLocalStorage<string>();
    const background = createWork({ maxConcurrent: 1 });
    const seen: unknown[] = [];
    for (const name of ['a', 'b', 'c']) {
      request.run(name, () =>
        background.add(async () => void seen.push([name, request.getStore()]), from(name)),
      );
    }
    await delaysPass();
    expect(seen.toSorted()).toEqual(['a', 'b', 'c'].map((name) => [name, name]));
  });

  it('begins after a delay that is spread over all of its time', async () => {
    const begun = Array(10).fill(0);
    const background = createWork({ maxConcurrent: 1_000, maxWaiting: 1_000 });
    let elapsedMs = 0;
    for (let n = 0; n < 1_000; n++) {
      background.add(
        async () => {
          begun[Math.min(9, Math.floor(elapsedMs / 100))] += 1;
        },
        from('a', 1_000),
      );
    }
    while (elapsedMs < DELAY_MS) {
      await vi.advanceTimersByTimeAsync(50);
      elapsedMs += 50;
    }
    expect(begun.reduce((sum, count) => sum + count)).toBe(1_000);
    // A tenth of it each: 100 on average, with a standard deviation of 9.5.
    for (const count of begun) expect(count).toBeGreaterThan(40);
  });

  it('is no more at once than it may be', async () => {
    const background = createWork({ maxConcurrent: 2 });
    const all = [held(), held(), held(), held()];
    for (const { work } of all) expect(background.add(work, from('a'))).toBe(true);
    await delaysPass();
    const begun = () => all.filter(({ hasBegun }) => hasBegun());
    expect(begun()).toHaveLength(2);
    begun()[0]?.finish();
    await delaysPass();
    expect(begun()).toHaveLength(3);
    for (const { finish } of all) finish();
    await background.idle();
    expect(begun()).toHaveLength(4);
  });

  it('takes turns by its source, so that much work of one delays another by one piece', async () => {
    const background = createWork();
    const order: string[] = [];
    const first = held();
    background.add(first.work, from('a'));
    await delaysPass();
    for (let n = 0; n < 50; n++) background.add(async () => void order.push('a'), from('a'));
    await delaysPass();
    for (const key of ['b', 'c', 'b']) background.add(async () => void order.push(key), from(key));
    await delaysPass();
    first.finish();
    await background.idle();
    expect(order.slice(0, 6).filter((key) => key === 'a')).toHaveLength(3);
    expect(
      order
        .slice(0, 6)
        .filter((key) => key !== 'a')
        .sort(),
    ).toEqual(['b', 'b', 'c']);
    expect(order).toHaveLength(53);
  });

  it('is refused, and never run, if too much waits', async () => {
    const background = createWork({ maxWaiting: 2 });
    const [first, second, third] = [held(), held(), held()];
    expect([first, second, third].map(({ work }) => background.add(work, from('a')))).toEqual([
      true,
      true,
      false,
    ]);
    await delaysPass();
    expect(background.add(held().work, from('b'))).toBe(true);
    expect(background.add(held().work, from('c'))).toBe(false);
    first.finish();
    second.finish();
    await delaysPass();
    expect(third.hasBegun()).toBe(false);
  });

  it('is refused if too much of its source waits, until that begins', async () => {
    const background = createWork({ maxConcurrent: 10 });
    const add = (source: string) => background.add(async () => {}, from(source, 2));
    expect([add('a'), add('a'), add('a'), add('b')]).toEqual([true, true, false, true]);
    await delaysPass();
    expect(add('a')).toBe(true);
    await delaysPass();
    await background.idle();
  });

  it('is awaited to the end: while it is delayed, while it runs, and what is added meanwhile', async () => {
    const background = createWork();
    await background.idle();
    const [first, second] = [held(), held()];
    background.add(first.work, from('a'));
    let isIdle = false;
    const idle = background.idle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    await delaysPass();
    background.add(second.work, from('a'));
    first.finish();
    await delaysPass();
    expect(isIdle).toBe(false);
    second.finish();
    await idle;
    expect(isIdle).toBe(true);
  });
});
