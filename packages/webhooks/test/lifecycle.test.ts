import { beforeEach, describe, expect, it, vi } from 'vitest';
import { numberTimers } from '../../toolkit/test/number-timers.ts';
import { WebhookError } from '../src/errors.ts';
import { createLifecycle } from '../src/lifecycle.ts';
import { silentLogger } from '../src/logging/logger.ts';
import { alreadyStarted } from '../src/queue/queue.ts';

const DAY_MS = 86_400_000;

/** A lifecycle whose parts count how often they are asked. */
function harness(overrides: Partial<Parameters<typeof createLifecycle>[0]> = {}) {
  const calls: string[] = [];
  const called = (name: string) => async () => {
    calls.push(name);
  };
  const lifecycle = createLifecycle({
    egress: { close: called('egress.close'), timeoutMs: 15_000 },
    storage: {},
    queue: { enqueue: called('queue.enqueue'), start: called('queue.start'), stop: called('queue.stop') },
    runner: { poll: called('poll'), close: called('runner.close'), inFlight: () => 2 },
    dispatcher: {
      close: called('dispatcher.close'),
      abandon: () => calls.push('dispatcher.abandon'),
      waiting: () => 3,
    },
    notifier: { error: () => new WebhookError('internal_error', 'x') },
    logger: silentLogger,
    removals: { begin: () => calls.push('removals.begin'), close: called('removals.close') },
    followOutages: called('followOutages'),
    purge: async () => {
      calls.push('purge');
      return { removed: 0, expired: 0 };
    },
    sweepIntervalMs: 5_000,
    schedulePurge: true,
    ...overrides,
  });
  const count = (name: string) => calls.filter((call) => call === name).length;
  return { lifecycle, calls, count };
}

describe("an engine's life", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('does not start on a storage that says it can not be used, and starts once it can', async () => {
    numberTimers();
    const misconfigured = new WebhookError('storage_misconfigured', 'x');
    let isMigrated = false;
    const assertReady = async () => {
      if (!isMigrated) throw misconfigured;
    };
    const { lifecycle, calls, count } = harness({ storage: { assertReady } });
    await expect(lifecycle.start()).rejects.toBe(misconfigured);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(calls).toEqual([]);
    isMigrated = true;
    await lifecycle.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(count('poll')).toBe(1);
    await lifecycle.close();
  });

  it.each([
    ['fails to answer', 0, () => Promise.reject(new WebhookError('storage_unavailable', 'x'))],
    ['does not answer', 5_000, () => new Promise<never>(() => {})],
  ])('starts all the same, and sweeps, where the storage %s, after %d ms', async (_, ms, assertReady) => {
    const { lifecycle, count } = harness({ storage: { assertReady } });
    const started = lifecycle.start();
    await vi.advanceTimersByTimeAsync(Math.max(ms - 1, 0));
    expect(lifecycle.state()).toBe(ms === 0 ? 'running' : 'created');
    await vi.advanceTimersByTimeAsync(1);
    await started;
    await vi.advanceTimersByTimeAsync(1);
    expect(count('poll')).toBe(1);
    await lifecycle.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sweeps at once and then at its interval, until it is closed', async () => {
    const { lifecycle, count } = harness();
    await lifecycle.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(count('poll')).toBe(1);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(count('poll')).toBe(11);
    await lifecycle.close();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(count('poll')).toBe(11);
  });

  it('purges ten minutes after the start and then daily, unless the host does', async () => {
    const own = harness();
    await own.lifecycle.start();
    await vi.advanceTimersByTimeAsync(599_000);
    expect(own.count('purge')).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(own.count('purge')).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * DAY_MS);
    expect(own.count('purge')).toBe(3);
    await own.lifecycle.close();

    const hosts = harness({ schedulePurge: false });
    await hosts.lifecycle.start();
    await vi.advanceTimersByTimeAsync(2 * DAY_MS);
    expect(hosts.count('purge')).toBe(0);
    await hosts.lifecycle.close();
  });

  it('goes on purging after a purge that failed', async () => {
    let purges = 0;
    const { lifecycle } = harness({
      purge: () => {
        purges += 1;
        return Promise.reject(new Error('the database is away'));
      },
    });
    await lifecycle.start();
    await vi.advanceTimersByTimeAsync(2 * DAY_MS);
    expect(purges).toBe(2);
    await lifecycle.close();
  });

  it('waits at its close for a start under way, which then fails, and leaves nothing running', async () => {
    let started = () => {};
    const { lifecycle, calls, count } = harness({
      queue: {
        enqueue: async () => {},
        start: () =>
          new Promise((resolve) => {
            started = resolve;
          }),
        stop: async () => {
          calls.push('queue.stop');
        },
      },
    });
    const refused = expect(lifecycle.start()).rejects.toMatchObject({ code: 'closed' });
    await vi.advanceTimersByTimeAsync(0);
    const closing = lifecycle.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(count('queue.stop')).toBe(0);
    started();
    await refused;
    await closing;
    expect(count('queue.stop')).toBe(1);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(count('poll')).toBe(0);
  });

  it('may be started again after a start that failed, and says which part failed', async () => {
    let isAway = true;
    const { lifecycle, count } = harness({
      queue: {
        enqueue: async () => {},
        start: async () => {
          if (isAway) throw new Error('Redis is away');
        },
        stop: async () => {},
      },
    });
    await expect(lifecycle.start()).rejects.toMatchObject({
      code: 'queue_unavailable',
      cause: { message: 'Redis is away' },
    });
    isAway = false;
    await lifecycle.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(count('poll')).toBe(1);
    await lifecycle.close();
  });

  it('says of a queue that was started before that it was, not that it is away', async () => {
    const misuse = alreadyStarted();
    const { lifecycle } = harness({
      queue: { enqueue: async () => {}, start: () => Promise.reject(misuse), stop: async () => {} },
    });
    await expect(lifecycle.start()).rejects.toBe(misuse);
    await lifecycle.close();
  });

  it('says of a queue whose engine fails with a TypeError, as fetch does, that it is away', async () => {
    const cause = new TypeError('fetch failed');
    const { lifecycle } = harness({
      queue: { enqueue: async () => {}, start: () => Promise.reject(cause), stop: async () => {} },
    });
    await expect(lifecycle.start()).rejects.toMatchObject({ code: 'queue_unavailable', cause });
    await lifecycle.close();
  });

  const forEver = () => new Promise<never>(() => {});
  it.each<[string, Partial<Parameters<typeof createLifecycle>[0]>]>([
    ['results', { runner: { poll: async () => {}, close: forEver, inFlight: () => 2 } }],
    ['dispatches', { dispatcher: { close: forEver, abandon: () => {}, waiting: () => 3 } }],
    ['a purge', { purge: forEver }],
  ])('closes without %s that a storage never takes, and says what is left', async (_, hanging) => {
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => void logged.push(line);
    const { lifecycle, count } = harness({ ...hanging, logger: { ...silentLogger, info: log, warn: log } });
    await lifecycle.start();
    logged.length = 0;
    await vi.advanceTimersByTimeAsync(600_000);
    let isClosed = false;
    const closed = lifecycle.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(34_999);
    expect([isClosed, count('queue.stop'), count('egress.close')]).toEqual([false, 1, 0]);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(count('egress.close')).toBe(1);
    const left = { attempts: 2, dispatches: 3 };
    expect(logged).toEqual([
      [{ maxMs: 35_000 }, 'webhook engine closes'],
      [left, 'webhook engine closed with work left'],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('closes although the queue never starts', async () => {
    const stop = vi.fn(async () => {});
    const { lifecycle, count } = harness({ queue: { enqueue: async () => {}, start: forEver, stop } });
    void lifecycle.start();
    await vi.advanceTimersByTimeAsync(0);
    const closed = lifecycle.close();
    await vi.advanceTimersByTimeAsync(35_000);
    await closed;
    expect([stop.mock.calls.length, count('runner.close'), count('egress.close')]).toEqual([1, 1, 1]);
  });

  it('closes in the order in which nothing is lost: the way out last', async () => {
    const { lifecycle, calls } = harness();
    await lifecycle.start();
    calls.length = 0;
    await lifecycle.close();
    expect(calls.at(0)).toBe('dispatcher.close');
    expect(calls.at(-1)).toBe('egress.close');
    expect(calls.toSorted()).toEqual([
      'dispatcher.close',
      'egress.close',
      'queue.stop',
      'removals.close',
      'runner.close',
    ]);
  });
});

describe('the process of a worker', () => {
  it('is held by the sweep until the engine is closed', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { lifecycle } = harness({ sweepIntervalMs: 3_600_000 });
    const before = timers();
    await lifecycle.start();
    // The sweep holds the process; the purge does not.
    expect(timers()).toBe(before + 1);
    await lifecycle.close();
    expect(timers()).toBe(before);
  });
});
