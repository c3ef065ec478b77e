import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBackgroundWork } from '../../src/one-time-tokens/background-work.ts';

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
    const background = createBackgroundWork({ maxConcurrent: 1, maxWaiting: 1 });
    const one = held();
    background.add(one.work);
    for (let ticks = 0; ticks < 100; ticks += 1) await Promise.resolve();
    expect(one.hasBegun()).toBe(false);
    await turn();
    expect(one.hasBegun()).toBe(true);
    one.finish();
  });

  it('runs in order, and no more at once than it may', async () => {
    const background = createBackgroundWork({ maxConcurrent: 2, maxWaiting: 9 });
    const all = [held(), held(), held(), held()];
    for (const { work } of all) expect(background.add(work)).toBe(true);
    await turn();
    const begun = () => all.map(({ hasBegun }) => hasBegun());
    expect(begun()).toEqual([true, true, false, false]);
    all[1]?.finish();
    await turn();
    expect(begun()).toEqual([true, true, true, false]);
    for (const { finish } of all) finish();
    await background.idle();
    expect(begun()).toEqual([true, true, true, true]);
  });

  it('is refused, and never run, if too much waits', async () => {
    const background = createBackgroundWork({ maxConcurrent: 1, maxWaiting: 2 });
    const [first, second, third] = [held(), held(), held()];
    expect([first, second, third].map(({ work }) => background.add(work))).toEqual([true, true, false]);
    await turn();
    expect(background.add(held().work)).toBe(true);
    first.finish();
    second.finish();
    await turn();
    expect(third.hasBegun()).toBe(false);
  });

  it('is awaited to the end, work that was added meanwhile included', async () => {
    const background = createBackgroundWork({ maxConcurrent: 1, maxWaiting: 2 });
    await background.idle();
    const [first, second] = [held(), held()];
    background.add(first.work);
    let isIdle = false;
    const idle = background.idle().then(() => {
      isIdle = true;
    });
    await turn();
    background.add(second.work);
    first.finish();
    await turn();
    expect(isIdle).toBe(false);
    second.finish();
    await idle;
    expect(isIdle).toBe(true);
  });
});
