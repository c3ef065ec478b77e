import { describe, expect, it } from 'vitest';
import type { AttemptEnd } from '../../../src/delivery/claim/attempt-end.ts';
import { createConcurrencyLimits } from '../../../src/delivery/claim/concurrency-limits.ts';
import { allocateSlots } from '../../../src/delivery/claim/slot-allocation.ts';
import { RELAPSE_MS } from '../../../src/delivery/claim/slowness.ts';

const SUCCESS: AttemptEnd = { isSuccess: true, isAnswered: true, isTimeout: false };
const FAILURE: AttemptEnd = { isSuccess: false, isAnswered: true, isTimeout: false };
const TIMEOUT: AttemptEnd = { isSuccess: false, isAnswered: false, isTimeout: true };
const NOTHING = new Map<number, number>();

/** Limits with a clock in the hands of the test: `attempt` makes one that takes so long. */
function harness(options: { readonly concurrency?: number; readonly maxPerWebhook?: number } = {}) {
  const time = { now: 0 };
  const limits = createConcurrencyLimits({
    concurrency: 50,
    maxPerWebhook: 10,
    ...options,
    monotonicClock: () => time.now,
  });
  const attempt = (webhookId: number, end: AttemptEnd | undefined, durationMs = 100) => {
    const ended = limits.begin(webhookId);
    time.now += durationMs;
    ended(end);
  };
  const capacityOf = (webhookId: number, inFlight = NOTHING) => {
    const waiting = [{ webhookId, due: Number.POSITIVE_INFINITY }];
    return allocateSlots(waiting, 1_000, limits.slotLimits(inFlight)).get(webhookId) ?? 0;
  };
  return { limits, time, attempt, capacityOf };
}

describe('slow start', () => {
  it('begins with two attempts at once and doubles with each success up to the maximum', () => {
    const { attempt, capacityOf } = harness();
    const capacities = [capacityOf(1)];
    for (let answers = 1; answers <= 4; answers += 1) {
      attempt(1, SUCCESS);
      capacities.push(capacityOf(1));
    }
    expect(capacities).toEqual([2, 4, 8, 10, 10]);
    expect(capacityOf(2)).toBe(2);
  });

  it('falls to one attempt after a timeout, from where it doubles again', () => {
    const { attempt, capacityOf } = harness();
    for (let answers = 0; answers < 4; answers += 1) attempt(1, SUCCESS);
    attempt(1, TIMEOUT, 15_000);
    expect(capacityOf(1)).toBe(1);
    attempt(1, SUCCESS);
    expect(capacityOf(1)).toBe(2);
  });

  it('stays where it is after a failure that is no timeout, and where nothing was sent', () => {
    const { attempt, capacityOf, limits } = harness();
    attempt(1, SUCCESS);
    attempt(1, FAILURE);
    attempt(1, undefined);
    expect(capacityOf(1)).toBe(4);
    attempt(2, TIMEOUT);
    attempt(2, undefined);
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set([2]));
  });

  it('never begins above a maximum of one', () => {
    const { attempt, capacityOf } = harness({ maxPerWebhook: 1 });
    expect(capacityOf(1)).toBe(1);
    attempt(1, SUCCESS);
    expect(capacityOf(1)).toBe(1);
  });

  it('remembers the last thousand webhooks, and suspects apart from the others', () => {
    const { attempt, capacityOf, limits } = harness();
    attempt(1, TIMEOUT);
    for (let webhookId = 2; webhookId <= 1_002; webhookId += 1) attempt(webhookId, SUCCESS);
    expect([capacityOf(2), capacityOf(3)]).toEqual([2, 4]);
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set([1]));
  });
});

describe('a suspect', () => {
  it('is a webhook whose last attempt timed out or took longer than two seconds', () => {
    const { attempt, limits } = harness();
    attempt(1, TIMEOUT, 500);
    attempt(2, SUCCESS, 2_001);
    attempt(3, FAILURE, 2_001);
    attempt(4, SUCCESS, 2_000);
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set([1, 2, 3]));
    attempt(2, SUCCESS, 100);
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set([1, 3]));
  });

  it('is a webhook with an attempt under way for longer than two seconds', () => {
    const { limits, time } = harness();
    const end = limits.begin(1);
    time.now += 2_000;
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set());
    time.now += 1;
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set([1]));
    end(SUCCESS);
    // It took as long: it stays one until an attempt is answered sooner.
    expect(limits.slotLimits(NOTHING).suspects).toEqual(new Set([1]));
  });

  it('is cleared by one prompt answer, and the next time by none within ten minutes', () => {
    const { attempt, limits, time } = harness();
    const isSuspect = () => limits.slotLimits(NOTHING).suspects?.has(1);
    attempt(1, TIMEOUT);
    attempt(1, SUCCESS);
    expect(isSuspect()).toBe(false);
    attempt(1, SUCCESS, 3_000);
    for (let answers = 0; answers < 10; answers += 1) attempt(1, SUCCESS);
    expect(isSuspect()).toBe(true);
    time.now += RELAPSE_MS;
    attempt(1, SUCCESS);
    expect(isSuspect()).toBe(false);
    // After so long, it is the first time again.
    attempt(1, TIMEOUT);
    attempt(1, SUCCESS);
    expect(isSuspect()).toBe(false);
  });

  it('comes after the others once it was served, also where nothing was sent', () => {
    const { attempt, limits } = harness();
    for (const webhookId of [1, 2, 3]) attempt(webhookId, TIMEOUT);
    attempt(1, undefined);
    expect([...(limits.slotLimits(NOTHING).suspects ?? [])]).toEqual([2, 3, 1]);
  });

  it('comes in the order of the last attempts, the longest ago first', () => {
    const { attempt, limits } = harness();
    for (const webhookId of [1, 2, 3, 1]) attempt(webhookId, TIMEOUT);
    expect([...(limits.slotLimits(NOTHING).suspects ?? [])]).toEqual([2, 3, 1]);
  });

  it('shares half of the slots with the other suspects, those in flight included', () => {
    const { attempt, limits } = harness();
    for (let webhookId = 1; webhookId <= 30; webhookId += 1) attempt(webhookId, TIMEOUT);
    expect(limits.slotLimits(NOTHING).suspectSlots).toBe(25);
    const inFlight = new Map([
      ...Array.from({ length: 20 }, (_, n): [number, number] => [n + 1, 1]),
      [99, 9],
    ]);
    expect(limits.slotLimits(inFlight).suspectSlots).toBe(5);
    expect(limits.slotLimits(new Map([[1, 40]])).suspectSlots).toBe(0);
  });
});

describe('a single slot', () => {
  it('is not divided: webhooks that hang are served like the others', () => {
    const { attempt, limits } = harness({ concurrency: 1 });
    attempt(1, TIMEOUT);
    expect(limits.slotLimits(NOTHING).suspects).toBeUndefined();
    expect(limits.slotLimitsBeyondHalf(new Map([[1, 1]]))).toBeUndefined();
  });
});

describe('beyond their half', () => {
  it('suspects get nothing while they do not hold it', () => {
    const { attempt, limits } = harness();
    attempt(1, SUCCESS, 3_000);
    expect(limits.slotLimitsBeyondHalf(new Map([[1, 24]]))).toBeUndefined();
    expect(limits.slotLimitsBeyondHalf(new Map([[1, 25]]))?.suspectSlots).toBe(15);
    expect(limits.slotLimitsBeyondHalf(new Map([[1, 40]]))).toBeUndefined();
  });

  it('only those may have more whose last attempt was answered', () => {
    const { attempt, limits, time } = harness();
    attempt(1, TIMEOUT, 15_000);
    attempt(2, SUCCESS, 3_000);
    attempt(3, SUCCESS, 100);
    limits.begin(3);
    limits.begin(4);
    time.now += 2_001;
    const inFlight = new Map([
      [1, 20],
      [2, 4],
      [3, 1],
      [4, 1],
    ]);
    const most = limits.slotLimitsBeyondHalf(inFlight);
    expect(most?.suspects).toEqual(new Set([1, 2, 3, 4]));
    const waiting = [1, 2, 3, 4].map((webhookId) => ({ webhookId, due: 10 }));
    const slots = allocateSlots(waiting, 10, {
      ...most,
      maxPerWebhook: 2,
      inFlight: new Map(),
      suspectSlots: 10,
    });
    expect([...slots]).toEqual([
      [2, 4],
      [3, 4],
    ]);
  });

  it('a webhook that refused its last attempt has not answered', () => {
    const { attempt, limits, time } = harness({ concurrency: 4 });
    attempt(1, { isSuccess: false, isAnswered: false, isTimeout: false });
    limits.begin(1);
    limits.begin(2);
    time.now += 2_001;
    const inFlight = new Map([
      [1, 1],
      [2, 1],
    ]);
    expect(limits.slotLimitsBeyondHalf(inFlight)).toBeUndefined();
  });

  it('no suspect gets anything where none has answered', () => {
    const { attempt, limits } = harness();
    attempt(1, TIMEOUT, 15_000);
    expect(limits.slotLimitsBeyondHalf(new Map([[1, 25]]))).toBeUndefined();
  });
});

describe('the limit of one webhook', () => {
  it('is not known before something was sent, and says that the webhook is slow while it is', () => {
    const { attempt, limits, time } = harness();
    expect(limits.limitOf(1)).toBeUndefined();
    attempt(1, SUCCESS);
    expect(limits.limitOf(1)).toEqual({ limit: 4, max: 10, isSlow: false });
    attempt(1, TIMEOUT, 15_000);
    expect(limits.limitOf(1)).toEqual({ limit: 1, max: 10, isSlow: true });
    attempt(1, SUCCESS);
    expect(limits.limitOf(1)).toEqual({ limit: 2, max: 10, isSlow: false });
    limits.begin(2);
    time.now += 3_000;
    expect(limits.limitOf(2)).toEqual({ limit: 2, max: 10, isSlow: true });
    expect(limits.limitOf(3)).toBeUndefined();
  });
});
