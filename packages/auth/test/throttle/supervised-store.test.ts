import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoginFailureCounts, LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import { STORE_DEADLINE_MS, superviseStore } from '../../src/throttle/supervised-store.ts';
import { memoryLoginFailures } from '../contract/memory-login-failures.ts';

const KEEP_SECONDS = 1_200;
const ONE = [{ key: 'a', failures: 1, underWay: 0 }] as const;
const never = () => new Promise<never>(() => {});

/** A supervised store, whose clock and log the test holds. */
function supervised(store: Partial<LoginFailureStore>) {
  const time = { now: 1_000 };
  const logged: unknown[] = [];
  const logger = { warn() {}, error: (fields: object) => void logged.push(fields) };
  const sound = memoryLoginFailures();
  return {
    time,
    logged,
    sound,
    store: superviseStore({
      store: { add: sound.add, forget: sound.forget, ...store },
      keepSeconds: KEEP_SECONDS,
      counted: 'failed log-ins',
      logger,
      now: () => time.now,
    }),
  };
}

const failing = async () => Promise.reject(new Error('the store is away'));

describe('a supervised store', () => {
  it('passes on what is added and forgotten, and how long it is kept', async () => {
    const add = vi.fn(memoryLoginFailures().add);
    const { store, sound } = supervised({ add });
    expect(await store.add(ONE)).toEqual({ counts: [{ failures: 1, underWay: 0 }] });
    expect(add).toHaveBeenCalledWith(ONE, KEEP_SECONDS);
    await sound.add([{ key: 'b', failures: 2, underWay: 3 }], KEEP_SECONDS);
    expect(await store.forget(['b', 'c'])).toEqual([
      { failures: 2, underWay: 3 },
      { failures: 0, underWay: 0 },
    ]);
  });

  it.each([
    ['counts of too few keys', []],
    ['counts of too many keys', Array(2).fill({ failures: 0, underWay: 0 })],
    ['no list', { failures: 0, underWay: 0 }],
    ['a hole', [undefined]],
    ['text', [{ failures: '1', underWay: 0 }]],
    ['no number', [{ failures: Number.NaN, underWay: 0 }]],
    ['a fraction', [{ failures: 1, underWay: 0.5 }]],
    ['fewer than no failures', [{ failures: -1, underWay: 1 }]],
  ])('takes %s for a failure', async (_, counts) => {
    const { store, logged } = supervised({ add: async () => counts as never });
    const added = await store.add(ONE);
    expect(added).toHaveProperty('late');
    await expect((added as { late: Promise<unknown> }).late).rejects.toThrow(TypeError);
    expect(logged).toEqual([{ err: expect.any(TypeError) }]);
  });

  it('fails to forget with a typed error, which tells the cause and no pause', async () => {
    const cause = new Error('the store is away');
    const { store } = supervised({ forget: async () => Promise.reject(cause) });
    await expect(store.forget(['a'])).rejects.toMatchObject({ code: 'unavailable', cause });
    expect(store.isAnswering()).toBe(true);
    const { store: other } = supervised({ forget: async () => ({ failures: -1, underWay: 0 }) });
    await expect(other.forget(['a'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is left alone for five seconds after a failure, also where the clock is set back', async () => {
    for (const [later, isAnswering] of [
      [4, false],
      [5, true],
      [-6, true],
    ] as const) {
      const { store, time } = supervised({ add: failing });
      expect(store.isAnswering()).toBe(true);
      await store.add(ONE);
      time.now += later;
      expect(store.isAnswering()).toBe(isAnswering);
    }
  });

  it('reports a failure once a minute, also where the clock is set back', async () => {
    const { store, time, logged } = supervised({ add: failing });
    for (const [step, reports] of [
      [0, 1],
      [59, 1],
      [1, 2],
      [-120, 3],
    ] as const) {
      time.now += step;
      await store.add(ONE);
      expect(logged).toHaveLength(reports);
    }
  });
});

describe('a store that is late', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is waited for three seconds, and may still bring its counts', async () => {
    let answer: (counts: readonly LoginFailureCounts[]) => void = () => {};
    const answered = new Promise<readonly LoginFailureCounts[]>((resolve) => {
      answer = resolve;
    });
    const { store, logged } = supervised({ add: () => answered });
    const adding = store.add(ONE);
    await vi.advanceTimersByTimeAsync(STORE_DEADLINE_MS - 1);
    expect(store.isAnswering()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    const added = await adding;
    expect(store.isAnswering()).toBe(false);
    expect(logged).toHaveLength(1);
    answer([{ failures: 1, underWay: 0 }]);
    expect(await (added as { late: Promise<unknown> }).late).toEqual([{ failures: 1, underWay: 0 }]);
  });

  it('does not hold up an unlock for longer', async () => {
    const { store } = supervised({ forget: never });
    const forgetting = expect(store.forget(['a'])).rejects.toMatchObject({ code: 'unavailable' });
    await vi.advanceTimersByTimeAsync(STORE_DEADLINE_MS);
    await forgetting;
    expect(vi.getTimerCount()).toBe(0);
  });
});
