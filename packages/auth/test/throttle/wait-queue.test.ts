import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWaitQueue, MAX_WAIT_MS } from '../../src/throttle/wait-queue.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const BUSY = { code: 'rate_limited', retryAfterSeconds: 30 };

describe('createWaitQueue', () => {
  it('resumes everybody who waits for a key, in order, and nobody else', async () => {
    const queue = createWaitQueue();
    const resumed: string[] = [];
    for (const [key, name] of [
      ['a', 'first'],
      ['b', 'other'],
      ['a', 'second'],
    ] as const) {
      void queue.wait(key).then(() => resumed.push(name));
    }
    queue.wake('c');
    queue.wake('a');
    await settled();
    expect(resumed).toEqual(['first', 'second']);
    queue.wake('a');
    queue.wake('b');
    await settled();
    expect(resumed).toEqual(['first', 'second', 'other']);
  });

  it('resumes the one who has waited longest, and tells whether there was one', async () => {
    const queue = createWaitQueue();
    const resumed: string[] = [];
    for (const name of ['first', 'second']) void queue.wait('a').then(() => resumed.push(name));
    expect(queue.wakeNext('b')).toBe(false);
    expect(queue.wakeNext('a')).toBe(true);
    await settled();
    expect(resumed).toEqual(['first']);
    expect(queue.wakeNext('a')).toBe(true);
    expect(queue.wakeNext('a')).toBe(false);
    await settled();
    expect(resumed).toEqual(['first', 'second']);
  });

  it('lets 64 wait for one key, and 1,000 in all', async () => {
    const queue = createWaitQueue();
    const waits: Promise<void>[] = [];
    for (let key = 0; key < 15; key++) {
      for (let i = 0; i < 64; i++) waits.push(queue.wait(`${key}`));
      await expect(queue.wait(`${key}`)).rejects.toMatchObject(BUSY);
    }
    for (let i = 0; i < 40; i++) waits.push(queue.wait('last'));
    await expect(queue.wait('last')).rejects.toMatchObject(BUSY);
    await expect(queue.wait('another')).rejects.toMatchObject(BUSY);
    queue.wake('0');
    waits.push(queue.wait('last'));
    for (let key = 1; key < 15; key++) queue.wake(`${key}`);
    queue.wake('last');
    expect(await Promise.all(waits)).toHaveLength(15 * 64 + 41);
  });

  describe('where nobody is ever done', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('sends each away after the 30 s that the host may take, and makes room for others', async () => {
      const queue = createWaitQueue();
      const outcomes: unknown[] = [];
      for (let i = 0; i < 64; i++) queue.wait('a').catch((error: unknown) => outcomes.push(error));
      expect(MAX_WAIT_MS).toBe(30_000);
      await vi.advanceTimersByTimeAsync(MAX_WAIT_MS - 1);
      expect(outcomes).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(outcomes).toEqual(Array(64).fill(expect.objectContaining(BUSY)));
      const waits = Array.from({ length: 64 }, () => queue.wait('a'));
      queue.wake('a');
      expect(await Promise.all(waits)).toHaveLength(64);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
