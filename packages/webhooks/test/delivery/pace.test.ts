import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/delivery/pace.ts';
import type { AttemptEnd } from '../../src/delivery/paced-attempt.ts';

const ENDLESS = Number.POSITIVE_INFINITY;

/** How much is due of webhooks. */
type Due = Readonly<Record<number, number>>;

/** A process of 20 slots, with a clock in the hands of the test. */
function harness({ slots = 20, maxPerWebhook = 10 } = {}) {
  const time = { now: 0 };
  const pace = new Pace({ slots, maxPerWebhook, monotonicClock: () => time.now });
  /** Claims among webhooks with so much due, and returns how many of each it chose. */
  const choose = (due: Due) => chooseOf({ '': due });
  /** The same among webhooks of several customers. */
  const chooseOf = (customers: Readonly<Record<string, Due>>) => {
    const claim = pace.claim();
    const waiting = Object.entries(customers).flatMap(([tenant, due]) =>
      Object.entries(due).map(([id, count]) => ({ webhookId: Number(id), tenant, due: count })),
    );
    const chosen = pace.choose(claim, waiting);
    pace.end(
      claim,
      [...chosen.values()].reduce((sum, count) => sum + count, 0),
    );
    return Object.fromEntries(chosen);
  };
  /** Makes one attempt that takes so long. */
  const attempt = (webhookId: number, end: AttemptEnd, ms = 50, tenant = '') => {
    const begun = pace.begin(webhookId, null, tenant);
    time.now += ms;
    pace.answered(begun, end);
    return pace.release(begun);
  };
  const prove = (...ids: number[]) => {
    for (const id of ids) attempt(id, 'failed', 1);
  };
  return { time, pace, choose, chooseOf, attempt, prove };
}

describe('the limit of a webhook', () => {
  it('begins at 2, doubles with each success up to the maximum, and falls to 1 with a timeout', () => {
    const { attempt, choose, pace } = harness({ slots: 100 });
    expect(choose({ 1: 50 })).toEqual({ 1: 2 });
    const limits = (['succeeded', 'failed', 'succeeded', 'succeeded', 'timed-out', 'succeeded'] as const).map(
      (end) => {
        attempt(1, end);
        return pace.limitOf(1)?.limit;
      },
    );
    expect(limits).toEqual([4, 4, 8, 10, 1, 2]);
    expect(pace.limitOf(2)).toBeUndefined();
  });

  it('counts what is in flight, in the slow pool too, and what another claim has chosen', () => {
    const { pace, time, choose } = harness();
    const slow = pace.begin(1);
    time.now = 250;
    pace.outlast(slow);
    expect([slow.place, pace.free()]).toEqual(['pool', 20]);
    expect(choose({ 1: 5 })).toEqual({ 1: 1 });
    pace.choose(pace.claim(), [{ webhookId: 1, tenant: '', due: 5 }]);
    expect(choose({ 1: 5 })).toEqual({});
  });
});

describe('a limit by the minute', () => {
  it('gives a token every so often, those of a second at most at once, and asks for a claim then', () => {
    const { pace, time, choose } = harness();
    /** Tries what was chosen of webhook 1, and returns how many that were. */
    const served = (maxPerMinute: number) => {
      const { 1: count = 0 } = choose({ 1: 50 });
      for (let begun = 0; begun < count; begun++) pace.release(pace.begin(1, maxPerMinute));
      return count;
    };
    expect(pace.tokenInMs()).toBe(Number.POSITIVE_INFINITY);
    // The limit is not known before the first attempts, which are two.
    expect([served(60), served(60), pace.tokenInMs()]).toEqual([2, 0, 2_000]);
    time.now = 1_999;
    expect([served(60), pace.tokenInMs()]).toEqual([0, 1]);
    time.now = 2_000;
    expect([served(60), pace.tokenInMs(), served(60), pace.tokenInMs()]).toEqual([1, 1_000, 0, 1_000]);
    time.now = 900_000;
    expect([served(60), served(60)]).toEqual([1, 0]);
    // Another limit applies from the next attempt on.
    time.now += 1_000;
    expect([served(6_000), served(6_000)]).toEqual([1, 0]);
    time.now += 20;
    expect([served(6_000), served(6_000), pace.tokenInMs()]).toEqual([2, 0, 10]);
    expect(choose({})).toEqual({});
    expect(pace.tokenInMs()).toBe(Number.POSITIVE_INFINITY);
  });

  it('holds up no other webhook, wakes for no slot that comes free, and counts what a claim was promised', () => {
    const { pace, time, choose } = harness();
    for (const _ of [1, 2]) pace.release(pace.begin(1, 60));
    const begun = pace.begin(2);
    expect(choose({ 1: 50, 2: 1, 3: 2 })).toEqual({ 2: 1, 3: 2 });
    expect([pace.release(begun), pace.shortSince()]).toEqual([false, undefined]);
    time.now = 2_000;
    pace.choose(pace.claim(), [{ webhookId: 1, tenant: '', due: 5 }]);
    expect(choose({ 1: 5 })).toEqual({});
    expect(pace.tokenInMs()).toBe(1_000);
  });
});

describe('the order of webhooks', () => {
  it('begins with those that have nothing in flight, and then with the least slot time', () => {
    const { pace, prove, attempt, choose } = harness({ slots: 4 });
    prove(1, 2, 3);
    attempt(2, 'failed', 400);
    pace.begin(3);
    expect(choose({ 1: 1, 2: 1, 3: 1 })).toEqual({ 1: 1, 2: 1, 3: 1 });
    pace.begin(4);
    expect(choose({ 1: 5, 2: 5, 3: 5 })).toEqual({ 1: 1, 2: 1 });
    pace.begin(4);
    expect(choose({ 1: 5, 2: 5, 3: 5 })).toEqual({ 1: 1 });
  });

  it('keeps the last fifth of the slots for webhooks with nothing in flight and little slot time', () => {
    const { prove, choose, pace } = harness();
    prove(1, 2, 3);
    for (let n = 0; n < 4; n++) for (const id of [1, 2]) prove(id);
    for (let n = 0; n < 16; n++) pace.begin(1);
    expect(choose({ 1: ENDLESS })).toEqual({});
    expect(choose({ 1: ENDLESS, 3: 9 })).toEqual({ 3: 1 });
  });

  it('forgets slot time within half a minute', () => {
    const { attempt, time, choose, pace } = harness();
    attempt(2, 'succeeded', 900);
    for (let n = 0; n < 16; n++) pace.begin(1);
    expect(choose({ 2: 1 })).toEqual({});
    time.now += 30_000;
    attempt(2, 'failed', 1);
    expect(choose({ 2: 1 })).toEqual({ 2: 1 });
  });
});

describe('customers', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, id) => [id + 1, ENDLESS]));

  it('get slots in turn, however many webhooks they have', () => {
    const { prove, chooseOf } = harness();
    prove(...Object.keys(many).map(Number), 31, 32);
    const chosen = chooseOf({ a: many, b: { 31: 2 }, '': { 32: 1 } });
    expect(chosen).toMatchObject({ 31: 2, 32: 1 });
    // The rest, but for the fifth that is kept for whoever comes next.
    expect(Object.values(chosen).reduce((sum, count) => sum + count, 0)).toBe(16);
  });

  it('come first whose webhooks have had the least slot time together, what is under way included', () => {
    const { time, pace, attempt, prove, chooseOf } = harness({ slots: 1 });
    prove(1, 2, 3, 4);
    attempt(1, 'failed', 60, 'a');
    attempt(2, 'failed', 60, 'a');
    attempt(3, 'failed', 100, 'b');
    expect(chooseOf({ a: { 4: 1 }, b: { 3: 1 } })).toEqual({ 3: 1 });
    const underWay = harness({ slots: 2 });
    underWay.prove(1, 2, 3);
    underWay.pace.begin(1, null, 'a');
    underWay.time.now += 100;
    expect(underWay.chooseOf({ a: { 2: 1 }, b: { 3: 1 } })).toEqual({ 3: 1 });
    // Forgotten as a webhook's own.
    time.now += 300_000;
    prove(1, 2, 3, 4);
    pace.release(pace.begin(3, null, 'b'));
    attempt(3, 'failed', 1, 'b');
    expect(chooseOf({ b: { 3: 1 }, a: { 4: 1 } })).toEqual({ 4: 1 });
  });

  it('use all slots where nobody else has anything due or under way', () => {
    const { prove, chooseOf } = harness();
    prove(...Object.keys(many).map(Number));
    expect(Object.keys(chooseOf({ a: many }))).toHaveLength(20);
  });
});

describe('the shares of the slots', () => {
  it('leave half to webhooks that are proven, and three quarters to those that are not slow', () => {
    const { attempt, prove, choose } = harness();
    const ids = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [from + n, 1]));
    expect(Object.keys(choose(ids(100, 30)))).toHaveLength(10);
    for (let id = 200; id < 230; id++) attempt(id, 'timed-out', 1);
    expect(Object.keys(choose(ids(200, 30)))).toHaveLength(5);
    prove(...Array.from({ length: 30 }, (_, n) => 300 + n));
    expect(Object.keys(choose({ ...ids(100, 30), ...ids(300, 30) }))).toHaveLength(20);
  });

  it('take a webhook as proven by any prompt answer, and as slow by one that takes over a second', () => {
    const { attempt, pace } = harness();
    const isSlowAfter = (end: AttemptEnd, ms: number) => {
      attempt(1, end, ms);
      return pace.limitOf(1)?.isSlow;
    };
    expect(isSlowAfter('unanswered', 1)).toBe(true);
    expect(isSlowAfter('failed', 1_000)).toBe(false);
    expect(isSlowAfter('succeeded', 1_001)).toBe(true);
  });

  it('take a webhook as unproven that has not answered since the oldest slow attempt began', () => {
    const { prove, pace, time } = harness();
    prove(1, 2, 3);
    pace.begin(1);
    time.now += 900;
    prove(2);
    time.now += 101;
    expect([pace.begin(2).slowAfterMs, pace.begin(3).slowAfterMs]).toEqual([1_000, 250]);
  });
});

describe('the slow pool', () => {
  it('has ten places for each slot; beyond that, an attempt keeps its slot until one comes free', () => {
    const { pace, time } = harness({ slots: 2 });
    const attempts = Array.from({ length: 21 }, (_, id) => {
      const attempt = pace.begin(id);
      time.now += 250;
      pace.outlast(attempt);
      return attempt;
    });
    expect(attempts.filter(({ place }) => place === 'pool')).toHaveLength(20);
    expect(pace.free()).toBe(1);
    const [first] = attempts;
    if (first) pace.release(first);
    expect([attempts.at(-1)?.place, pace.free()]).toEqual(['pool', 2]);
  });
});

describe('an attempt that ends', () => {
  it('leaves slots to unproven webhooks when it is full of others, which keep theirs', () => {
    const { pace, time, prove, choose } = harness();
    prove(500);
    for (let hanging = 1; hanging <= 210; hanging += 1) {
      const attempt = pace.begin(hanging);
      time.now += 1;
      pace.outlast(attempt);
    }
    expect(pace.free()).toBe(10);
    // None is known to be slow.
    expect(choose({ 500: 1, 501: 1 })).toEqual({ 500: 1 });
    time.now += 1_000;
    expect(choose({ 1: 1, 500: 1, 501: 1 })).toEqual({ 500: 1, 501: 1 });
  });

  it('is awaited if something was left behind that may begin now', () => {
    const { choose, attempt, pace, prove } = harness({ slots: 4 });
    expect(attempt(9, 'failed')).toBe(false);
    prove(1);
    choose({ 1: 9 });
    expect(attempt(9, 'failed')).toBe(false);
    expect(attempt(1, 'failed')).toBe(true);
    // Two unproven webhooks have their half.
    const unproven = [pace.begin(2), pace.begin(3)];
    choose({ 4: 1 });
    expect(attempt(9, 'failed')).toBe(false);
    for (const one of unproven) pace.answered(one, 'succeeded');
    expect(unproven.map((one) => pace.release(one))).toEqual([true, true]);
  });
});

describe('too few slots', () => {
  it('are known since the first claim that left a webhook behind for a slot, or failed', () => {
    const { attempt, choose, pace, time } = harness({ slots: 1 });
    time.now = 100;
    choose({ 1: 1, 2: 1 });
    time.now = 200;
    choose({ 1: 1, 2: 1 });
    expect(pace.shortSince()).toBe(100);
    attempt(2, 'failed', 1_500);
    choose({ 1: 1, 2: 1 });
    expect(pace.shortSince()).toBeUndefined();
    pace.end(pace.claim(), undefined);
    expect(pace.shortSince()).toBe(1_700);
    pace.end(pace.claim(), 0);
    expect(pace.shortSince()).toBeUndefined();
  });
});

describe('a webhook that pauses', () => {
  it('is left out, and begins again with one attempt at a time', () => {
    const { pace, choose, attempt } = harness();
    attempt(1, 'succeeded');
    expect(choose({ 1: 9 })).toEqual({ 1: 4 });
    const waiting = [
      { webhookId: 1, tenant: '', due: 2, isPaused: true },
      { webhookId: 2, tenant: '', due: 1 },
    ];
    const deferred = pace.begin(1);
    expect(pace.deferred(deferred, false)).toBe(true);
    pace.release(deferred);
    const claim = pace.claim();
    expect(pace.choose(claim, waiting)).toEqual(new Map([[2, 1]]));
    pace.end(claim, 1);
    expect(choose({ 1: 9 })).toEqual({ 1: 1 });
  });

  it.each([true, false])('may hide others, unless all that is due was shown (paused: %s)', (isPaused) => {
    const { pace } = harness();
    const isBlind = (due: number) => {
      const claim = pace.claim();
      pace.choose(claim, [{ webhookId: 1, tenant: '', due, isPaused }]);
      pace.end(claim, 0);
      return claim.isBlind;
    };
    expect([isBlind(20), isBlind(21), isBlind(ENDLESS)]).toEqual([false, false, true]);
  });

  it('hides nothing that a slot is free for where all slots are given', () => {
    const { pace } = harness();
    const claim = pace.claim();
    const waiting = Array.from({ length: 20 }, (_, n) => ({ webhookId: n + 1, tenant: '', due: ENDLESS }));
    for (const { webhookId } of waiting) pace.answered(pace.begin(webhookId), 'succeeded');
    pace.choose(claim, waiting);
    expect(claim.isBlind).toBe(false);
  });

  it('goes on where one delivery is put off again and again, and others succeed', () => {
    const { pace, attempt, time } = harness();
    expect([pace.deferred(pace.begin(1), true), pace.deferred(pace.begin(1), true)]).toEqual([true, true]);
    time.now += 1_000;
    attempt(1, 'succeeded');
    expect(pace.deferred(pace.begin(1), true)).toBe(false);
    // The next one asks in vain, too: the recipient is busy.
    expect(pace.deferred(pace.begin(1), true)).toBe(true);
    time.now += 1_000;
    attempt(1, 'succeeded');
    expect(pace.deferred(pace.begin(1), false)).toBe(true);
  });

  it('begins again with one attempt at a time where another process was told to wait', () => {
    const { pace, attempt, choose } = harness();
    attempt(1, 'succeeded');
    const claim = pace.claim();
    pace.choose(claim, [{ webhookId: 1, tenant: '', due: 9, isPaused: true }]);
    pace.end(claim, 0);
    expect(choose({ 1: 9 })).toEqual({ 1: 1 });
  });

  it('has one attempt when its pause is over, and is claimed again at the end of that', () => {
    const { pace } = harness();
    const claim = pace.claim();
    const waiting = [{ webhookId: 1, tenant: '', due: 9, isResuming: true }];
    expect(pace.choose(claim, waiting)).toEqual(new Map([[1, 1]]));
    pace.end(claim, 1);
    expect(pace.release(pace.begin(1))).toBe(true);
  });
});
