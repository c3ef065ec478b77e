import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inProcessQueue } from '../../src/queue/in-process-queue.ts';

const ID = '0'.repeat(32);
const jobs = (...delays: number[]) => delays.map((delayMs) => ({ deliveryId: ID, delayMs }));

/** A worker whose polls end when told. */
function createWorker() {
  const ends: (() => void)[] = [];
  let polls = 0;
  return {
    poll: () => {
      polls += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    end: (): void => {
      ends.shift()?.();
    },
    get polls() {
      return polls;
    },
  };
}

describe('the in-process queue', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('polls at once for a job that is due', async () => {
    const queue = inProcessQueue();
    const poll = vi.fn(async () => {});
    await queue.start(poll);
    await queue.enqueue(jobs(0));
    expect(poll).toHaveBeenCalledOnce();
  });

  it('lets one waiting poll stand for every job announced before it begins', async () => {
    const queue = inProcessQueue();
    const worker = createWorker();
    await queue.start(worker.poll);
    for (let n = 0; n < 10_000; n += 1) await queue.enqueue(jobs(0));
    expect(worker.polls).toBe(1);
    worker.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(worker.polls).toBe(2);
    worker.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(worker.polls).toBe(2);
  });

  it('polls at each later time and not before it, in whatever order the jobs came', async () => {
    const queue = inProcessQueue();
    const poll = vi.fn(async () => {});
    await queue.start(poll);
    await queue.enqueue(jobs(5_000, 1_000));
    await queue.enqueue(jobs(3_000));
    for (const [seconds, polls] of [
      [0.9, 0],
      [1.1, 1],
      [2.9, 1],
      [3.1, 2],
      [4.9, 2],
      [5.1, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - performance.now());
      expect(poll, `after ${seconds} s`).toHaveBeenCalledTimes(polls);
    }
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(poll).toHaveBeenCalledTimes(3);
  });

  it('sets one timer whatever the number of later jobs', async () => {
    const queue = inProcessQueue();
    await queue.start(async () => {});
    await queue.enqueue(jobs(...Array.from({ length: 5_000 }, (_, n) => 1_000 + n * 100)));
    expect(vi.getTimerCount()).toBe(1);
  });

  it('waits for a time further away than a timer can count', async () => {
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

  it('drops what comes before start and after stop, and stop waits for the poll under way', async () => {
    const queue = inProcessQueue();
    const worker = createWorker();
    await queue.enqueue(jobs(0, 10));
    await queue.start(worker.poll);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(worker.polls).toBe(0);
    await queue.enqueue(jobs(0, 500));
    let isStopped = false;
    const stopped = queue.stop().then(() => {
      isStopped = true;
    });
    await queue.enqueue(jobs(0));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isStopped).toBe(false);
    worker.end();
    await stopped;
    await queue.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(worker.polls).toBe(1);
  });
});
