import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createClaimScheduler } from '../../src/delivery/claim-scheduler.ts';
import { globalTimers } from '../global-timers.ts';

/** A scheduler over 20 slots that the test occupies and releases. */
function harness({ tokenInMs }: { tokenInMs?: () => number } = {}) {
  const slots = { free: 20 };
  const limits: number[] = [];
  const answers: ((hasAll: boolean) => void)[] = [];
  const scheduler = createClaimScheduler({
    claim() {
      const limit = slots.free;
      limits.push(limit);
      slots.free = 0;
      return new Promise((resolve) => {
        answers.push((hasAll) => {
          slots.free += limit;
          resolve(hasAll);
        });
      });
    },
    free: () => slots.free,
    slots: 20,
    ...(tokenInMs && { tokenInMs }),
    timers: globalTimers(),
  });
  /** The first claim under way takes that many slots and answers. */
  const answer = async (taken: number, { hasAll = true } = {}) => {
    answers.shift()?.(hasAll);
    slots.free -= taken;
    await vi.advanceTimersByTimeAsync(0);
  };
  const release = (count: number, { isAwaited = true } = {}) => {
    for (let released = 0; released < count; released += 1) {
      slots.free += 1;
      scheduler.released(isAwaited);
    }
  };
  const expectNoMore = async () => {
    const claims = limits.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(claims);
  };
  return { scheduler, limits, answer, release, expectNoMore };
}

describe('the scheduler of claims', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    });
  });

  it('claims at once when it is polled, as many as slots are free', async () => {
    const { scheduler, limits, answer, expectNoMore } = harness();
    const asked = scheduler.poll();
    expect(limits).toEqual([20]);
    await answer(0);
    await asked;
    await expectNoMore();
  });

  it('resolves every poll from before a claim with that claim, and later polls with the next', async () => {
    const { scheduler, limits, answer } = harness();
    const order: string[] = [];
    void scheduler.poll().then(() => order.push('first'));
    void scheduler.poll().then(() => order.push('second'));
    void scheduler.poll().then(() => order.push('third'));
    await answer(0);
    expect(order).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(5);
    await answer(0);
    expect(order).toEqual(['first', 'second', 'third']);
    expect(limits).toHaveLength(2);
  });

  it('keeps claims that polls ask for five milliseconds apart', async () => {
    const { scheduler, limits, answer } = harness();
    void scheduler.poll();
    await answer(1);
    for (let wakeUp = 0; wakeUp < 50; wakeUp += 1) void scheduler.poll();
    await vi.advanceTimersByTimeAsync(4);
    expect(limits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(limits).toEqual([20, 19]);
    await answer(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(2);
  });

  it('claims nothing for slots that come free and that nothing awaits', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(7);
    release(7, { isAwaited: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(1);
  });

  it('claims at once when seven in ten of the occupied slots are free, those that come free together included', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(20);
    release(13);
    await vi.advanceTimersByTimeAsync(0);
    expect(limits).toHaveLength(1);
    release(4);
    await vi.advanceTimersByTimeAsync(0);
    expect(limits).toEqual([20, 17]);
    expect(scheduler.isClaiming()).toBe(true);
  });

  it('claims for fewer after five milliseconds', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(20);
    release(1);
    await vi.advanceTimersByTimeAsync(3);
    release(2);
    expect(scheduler.isClaiming()).toBe(true);
    await vi.advanceTimersByTimeAsync(2);
    expect(limits).toEqual([20, 3]);
    await answer(3);
    expect(scheduler.isClaiming()).toBe(false);
  });

  it('begins a second claim, and no third, for slots that come free while one is under way', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(20);
    release(14);
    await vi.advanceTimersByTimeAsync(0);
    release(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toEqual([20, 14]);
    release(2);
    await vi.advanceTimersByTimeAsync(0);
    release(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toEqual([20, 14]);
    await answer(14);
    await vi.advanceTimersByTimeAsync(5);
    expect(limits).toEqual([20, 14, 6]);
  });

  it('waits for a slot when it is polled and none is free', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(20);
    let isAnswered = false;
    void scheduler.poll().then(() => {
      isAnswered = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(1);
    release(1);
    await vi.advanceTimersByTimeAsync(5);
    expect(limits).toEqual([20, 1]);
    expect(isAnswered).toBe(false);
    await answer(1);
    expect(isAnswered).toBe(true);
  });

  it('stops by resolving its polls, claiming no more, and waiting for the claim under way', async () => {
    const { scheduler, limits, answer, release, expectNoMore } = harness();
    void scheduler.poll();
    const waiting = scheduler.poll();
    let isStopped = false;
    const stopped = scheduler.stop().then(() => {
      isStopped = true;
    });
    await waiting;
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    await answer(20);
    await stopped;
    release(20);
    await scheduler.poll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(1);
    await expectNoMore();
  });

  it('claims again once there is a token, and no more often than every 100 ms', async () => {
    const token = { inMs: 2_000 };
    const { scheduler, limits, answer, expectNoMore } = harness({ tokenInMs: () => token.inMs });
    void scheduler.poll();
    for (const [claims, inMs] of [2_000, 1, 1].entries()) {
      token.inMs = inMs;
      await answer(0);
      expect(scheduler.isClaiming()).toBe(false);
      await vi.advanceTimersByTimeAsync(Math.max(inMs, 100) - 1);
      expect(limits).toHaveLength(claims + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(limits).toHaveLength(claims + 2);
    }
    token.inMs = Number.POSITIVE_INFINITY;
    await answer(0);
    await expectNoMore();
    await scheduler.stop();
  });

  it('claims again after a race that it lost, later each time, and at once when it is polled', async () => {
    const { scheduler, limits, answer, expectNoMore } = harness();
    void scheduler.poll();
    for (const [claims, waitMs] of [5, 10, 20, 40, 80, 160, 320, 640, 640].entries()) {
      await answer(0, { hasAll: false });
      expect(scheduler.isClaiming()).toBe(false);
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(limits).toHaveLength(claims + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(limits).toHaveLength(claims + 2);
    }
    await answer(0, { hasAll: false });
    await vi.advanceTimersByTimeAsync(10);
    void scheduler.poll();
    expect(limits).toHaveLength(11);
    await answer(0);
    await expectNoMore();
    await scheduler.stop();
  });
});
