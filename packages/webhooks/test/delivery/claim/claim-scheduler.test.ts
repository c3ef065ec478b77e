import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClaimScheduler, type Remainder } from '../../../src/delivery/claim/claim-scheduler.ts';
import { globalTimers } from '../../global-timers.ts';

const NONE: Remainder = { kind: 'none' };
const MORE: Remainder = { kind: 'more' };
/** Four attempts of each are under way. */
const heldBack = (...ids: number[]): Remainder => ({
  kind: 'held-back',
  webhookIds: new Set(ids),
  inFlight: 4 * ids.length,
});

/** A scheduler over 20 slots that the test occupies and releases. */
function harness() {
  const slots = { free: 20, capacityOf: 0 };
  const limits: number[] = [];
  const answers: ((remainder: Remainder) => void)[] = [];
  const scheduler = createClaimScheduler({
    claim(limit) {
      limits.push(limit);
      return new Promise((resolve) => answers.push(resolve));
    },
    free: () => slots.free,
    capacityOf: () => slots.capacityOf,
    concurrency: 20,
    timers: globalTimers(),
  });
  /** The claim under way takes that many slots and answers. */
  const answer = async (taken: number, remainder: Remainder) => {
    slots.free -= taken;
    answers.shift()?.(remainder);
    await vi.advanceTimersByTimeAsync(0);
  };
  const release = (count: number, webhookId = 1) => {
    for (let released = 0; released < count; released += 1) {
      slots.free += 1;
      scheduler.released(webhookId);
    }
  };
  return { scheduler, slots, limits, answer, release };
}

describe('the scheduler of claims', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('claims at once when it is polled, as many as slots are free', async () => {
    const { scheduler, limits, answer } = harness();
    const asked = scheduler.poll();
    expect(limits).toEqual([20]);
    await answer(0, NONE);
    await asked;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('resolves every poll from before a claim with that claim, and later polls with the next', async () => {
    const { scheduler, limits, answer } = harness();
    const order: string[] = [];
    void scheduler.poll().then(() => order.push('first'));
    void scheduler.poll().then(() => order.push('second'));
    void scheduler.poll().then(() => order.push('third'));
    await answer(0, NONE);
    expect(order).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(5);
    await answer(0, NONE);
    expect(order).toEqual(['first', 'second', 'third']);
    expect(limits).toHaveLength(2);
  });

  it('keeps claims that polls ask for five milliseconds apart', async () => {
    const { scheduler, limits, answer } = harness();
    void scheduler.poll();
    await answer(1, NONE);
    for (let wakeUp = 0; wakeUp < 50; wakeUp += 1) void scheduler.poll();
    await vi.advanceTimersByTimeAsync(4);
    expect(limits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(limits).toEqual([20, 19]);
    await answer(0, NONE);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(2);
  });

  it('claims nothing for slots that come free where nothing was left behind', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(7, NONE);
    release(7);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(1);
  });

  it('claims at once when seven in ten of the slots are free, those that come free together included', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(20, MORE);
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
    await answer(20, MORE);
    release(1);
    await vi.advanceTimersByTimeAsync(3);
    release(2);
    expect(scheduler.isClaiming()).toBe(true);
    await vi.advanceTimersByTimeAsync(2);
    expect(limits).toEqual([20, 3]);
    await answer(3, NONE);
    expect(scheduler.isClaiming()).toBe(false);
  });

  it('claims again when attempts end of a webhook that was held back, and of no other', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(6, heldBack(1));
    release(2, 2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(1);
    release(1, 1);
    await vi.advanceTimersByTimeAsync(5);
    expect(limits).toEqual([20, 17]);
  });

  it('waits for no timer once seven in ten of the attempts held back have ended', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(8, heldBack(1, 2));
    release(3, 1);
    release(2, 2);
    await vi.advanceTimersByTimeAsync(0);
    expect(limits).toHaveLength(1);
    release(1, 2);
    await vi.advanceTimersByTimeAsync(0);
    expect(limits).toHaveLength(2);
  });

  it('counts what came free while the storage was answering', async () => {
    const { scheduler, limits, answer, slots } = harness();
    void scheduler.poll();
    // Its attempts ended after the storage had read them: nothing holds the webhook back any more.
    slots.capacityOf = 1;
    await answer(4, heldBack(1));
    await vi.advanceTimersByTimeAsync(5);
    expect(limits).toHaveLength(2);
    await answer(16, MORE);
    slots.free = 12;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(2);
  });

  it('waits for a slot when it is polled and none is free', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    await answer(20, MORE);
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
    await answer(1, MORE);
    expect(isAnswered).toBe(true);
  });

  it('stops by resolving its polls, claiming no more, and waiting for the claim under way', async () => {
    const { scheduler, limits, answer, release } = harness();
    void scheduler.poll();
    const waiting = scheduler.poll();
    let isStopped = false;
    const stopped = scheduler.stop().then(() => {
      isStopped = true;
    });
    await waiting;
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    await answer(20, MORE);
    await stopped;
    release(20);
    await scheduler.poll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limits).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
