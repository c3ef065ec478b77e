import { beforeEach, describe, expect, it, vi } from 'vitest';
import { numberTimers } from '../../../toolkit/test/number-timers.ts';
import { inProcessQueue } from '../../src/queue/in-process-queue.ts';

const ID = '0'.repeat(32);
const jobs = (...delays: number[]) => delays.map((delayMs) => ({ deliveryId: ID, delayMs }));

describe('the in-process queue', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('sets one timer whatever the number of later jobs', async () => {
    const queue = inProcessQueue();
    await queue.start(async () => {});
    await queue.enqueue(jobs(...Array.from({ length: 5_000 }, (_, n) => 1_000 + n * 100)));
    expect(vi.getTimerCount()).toBe(1);
  });

  it('waits for a time further away than a timer can count', async () => {
    numberTimers();
    const queue = inProcessQueue();
    const poll = vi.fn(async () => {});
    await queue.start(poll);
    const days = 30 * 86_400_000;
    await queue.enqueue(jobs(days));
    await vi.advanceTimersByTimeAsync(days - 1_000);
    expect(poll).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(poll).toHaveBeenCalledOnce();
  });

  it('forgets the latest times beyond its bound and keeps the earliest', async () => {
    const queue = inProcessQueue();
    const poll = vi.fn(async () => {});
    await queue.start(poll);
    await queue.enqueue(jobs(...Array.from({ length: 1_002 }, (_, index) => 200_000 - index * 100)));
    await vi.advanceTimersByTimeAsync(300_000);
    expect(poll).toHaveBeenCalledTimes(1_000);
  });
});
