import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import { REPORT_INTERVAL_MS } from '../../../toolkit/src/paced-report.ts';
import {
  createHookQueue,
  HOOK_TIMEOUT_MS,
  MAX_HOOKS_AT_ONCE,
  MAX_WAITING_NOTICES,
} from '../../src/hooks/hook-queue.ts';
import { resolveLogger } from '../../src/logging/logger.ts';

const never = () => new Promise<never>(() => {});
const turn = () => new Promise((resolve) => setImmediate(resolve));

function queueOf(hook: (event: number) => unknown) {
  const logged: [object, string][] = [];
  const logger = resolveLogger({ error: (fields, message) => void logged.push([fields, message]) });
  return { logged, ...queueParts(createHookQueue('onX', hook, logger)) };
}

/** The members by themselves; `isBusy` is read anew each time. */
function queueParts(queue: ReturnType<typeof createHookQueue<number>>) {
  return { tell: queue.tell, idle: () => queue.idle(), isBusy: () => queue.isBusy };
}

/** What some libraries return in place of a promise. */
const thenable = (property: PropertyDescriptor) => Object.defineProperty({}, 'then', property);
const throwDown = () => {
  throw new Error('down');
};

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a queue of events for a hook', () => {
  it('calls the hook later, once for each event, in order', async () => {
    const told: number[] = [];
    const { tell, idle, isBusy } = queueOf((event) => told.push(event));
    tell([1]);
    tell([]);
    tell([2, 3]);
    tell([4]);
    await Promise.resolve();
    expect([told, isBusy()]).toEqual([[], true]);
    await idle();
    expect([told, isBusy()]).toEqual([[1, 2, 3, 4], false]);
    await idle();
    expect(told).toHaveLength(4);
  });

  it('has at most 16 calls under way, and starts the next when one settles', async () => {
    const started: number[] = [];
    const settle: (() => void)[] = [];
    const { tell, idle } = queueOf((event) => {
      started.push(event);
      return new Promise<void>((resolve) => settle.push(resolve));
    });
    tell(numbers(MAX_HOOKS_AT_ONCE));
    tell([16, 17]);
    await turn();
    expect(started).toEqual(numbers(MAX_HOOKS_AT_ONCE));
    settle[3]?.();
    await turn();
    expect(started).toEqual(numbers(MAX_HOOKS_AT_ONCE + 1));
    while (settle.length > 0) {
      settle.shift()?.();
      await turn();
    }
    await idle();
    expect(started).toEqual(numbers(MAX_HOOKS_AT_ONCE + 2));
  });

  it('drops what comes after 1,000 waiting notices, and logs how much once a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const told: number[] = [];
    const { tell, logged, idle } = queueOf((event) => void told.push(event));
    for (const event of numbers(MAX_WAITING_NOTICES + 3)) tell([event]);
    tell([7, 8]);
    const message = 'The hook onX is too slow: events were dropped';
    expect(logged).toEqual([[{ dropped: 1 }, message]]);
    await idle();
    expect(told).toEqual(numbers(MAX_WAITING_NOTICES));
    vi.advanceTimersByTime(REPORT_INTERVAL_MS);
    expect(logged).toEqual([
      [{ dropped: 1 }, message],
      [{ dropped: 4 }, message],
    ]);
    tell([9]);
    await idle();
    expect(told.at(-1)).toBe(9);
  });

  it('loses none of the events that were told together, however many', async () => {
    let told = 0;
    const { tell, logged, idle } = queueOf(() => {
      told += 1;
    });
    tell(numbers(5_000));
    await idle();
    expect([told, logged]).toEqual([5_000, []]);
  });

  it.each<[string, () => unknown]>([
    ['throws', throwDown],
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'returns a thenable that rejects',
      () => thenable({ value: (_: unknown, reject: (error: Error) => void) => reject(new Error('down')) }),
    ],
    ['returns a thenable that throws', () => thenable({ value: throwDown })],
    ['returns an object that throws when it is looked at', () => thenable({ get: throwDown })],
  ])('goes on where the hook %s, and logs it: the first at once, the rest once a minute', async (_, fail) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let calls = 0;
    const { tell, logged, idle } = queueOf(() => {
      calls += 1;
      return fail();
    });
    tell(numbers(40));
    await idle();
    expect(calls).toBe(40);
    const line = (failures: number) => [
      { err: expect.objectContaining({ message: 'down' }), failures },
      'The hook onX failed',
    ];
    expect(logged).toEqual([line(1)]);
    vi.advanceTimersByTime(REPORT_INTERVAL_MS);
    expect(logged).toEqual([line(1), line(39)]);
  });

  it('gives the place of a call that does not settle to the next one after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const started: number[] = [];
    const { tell, logged, idle } = queueOf((event) => {
      started.push(event);
      return event < MAX_HOOKS_AT_ONCE ? never() : undefined;
    });
    tell(numbers(MAX_HOOKS_AT_ONCE + 1));
    await turn();
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS - 1);
    expect([started.length, logged]).toEqual([MAX_HOOKS_AT_ONCE, []]);
    await vi.advanceTimersByTimeAsync(1);
    await idle();
    expect(started).toHaveLength(MAX_HOOKS_AT_ONCE + 1);
    expect(logged[0]?.[0]).toMatchObject({ err: { message: 'The hook has not settled within 5000 ms' } });
  });

  it('takes no notice of what a late call does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let fail = (_: Error) => {};
    const { tell, logged, idle } = queueOf(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    tell([1]);
    await turn();
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS);
    await idle();
    fail(new Error('late'));
    await turn();
    expect(logged).toHaveLength(1);
  });

  it('calls the hook in the asynchronous context of the request that told it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const told: (string | undefined)[] = [];
    const { tell, idle } = queueOf(() => void told.push(storage.getStore()));
    for (const request of ['a', 'b']) storage.run(request, () => tell([1]));
    await idle();
    expect(told).toEqual(['a', 'b']);
  });

  it('calls the hook with what the hook itself tells, in a later turn', async () => {
    const told: number[] = [];
    const queue = queueOf((event) => {
      told.push(event);
      if (event < 3) queue.tell([event + 1]);
    });
    queue.tell([1]);
    await queue.idle();
    expect(told).toEqual([1, 2, 3]);
  });
});
