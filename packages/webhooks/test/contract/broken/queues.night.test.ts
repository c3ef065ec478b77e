import { AssertionError } from 'node:assert';
import { describe, expect, test, vi } from 'vitest';
import { type QueueContractOptions, queueContract } from '../../../contract/queue-contract.ts';
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts';
import type { DeliveryQueue } from '../../../src/queue/queue.ts';
import { memoryBackend } from '../memory-backend.ts';
import { inVirtualTime } from '../virtual-time.ts';
import { brokenQueues } from './queues.ts';

vi.mock('node:timers/promises', () => import('../virtual-sleep.ts'));

/**
 * In virtual time, no machine is slow: the longest that a sound queue lets a case wait is a job's
 * delay, 1,500 ms.
 */
const QUICK = { hasSecondProcess: true, hasOutages: true, latencyMs: 150 };

describe('the contract', () => {
  inVirtualTime();

  test.concurrent.each(Object.entries(brokenQueues))('notices what breaks “%s”', async (promise, create) => {
    const cases = queueContract(async () => create(), QUICK).filter(({ name }) => name.includes(promise));
    expect(cases).toHaveLength(1);
    for (const { run } of cases) await expect(run()).rejects.toBeInstanceOf(AssertionError);
  });
});

describe('a queue that only signals', () => {
  inVirtualTime();

  const createSignals = async () => {
    const { createQueue, cutOff } = memoryBackend({ keepsJobs: false });
    return { queue: createQueue(), secondProcess: async () => createQueue(), cutOff, async close() {} };
  };
  const namesWith = (keepsJobs: boolean) =>
    queueContract(createSignals, { ...QUICK, keepsJobs }).map(({ name }) => name);

  describe('passes without the cases that need kept jobs', () => {
    for (const { name, run } of queueContract(createSignals, { ...QUICK, keepsJobs: false })) {
      test.concurrent(name, run);
    }
  });

  test('is spared the cases that need kept jobs, and no others', () => {
    const spared = namesWith(true).filter((name) => !namesWith(false).includes(name));
    expect(spared).toEqual([
      'keeps jobs for a worker that starts later',
      'hands over, in stop, what a process that only dispatches has taken in',
    ]);
  });
});

describe('the message of a failure', () => {
  inVirtualTime();

  const failureOf = async (queue: object, part: string) => {
    const closed: string[] = [];
    const cases = queueContract(
      // What JavaScript may give.
      async () => ({ queue: queue as DeliveryQueue, close: async () => void closed.push('closed') }),
      { latencyMs: 150 },
    );
    const error: unknown = await cases
      .find(({ name }) => name.includes(part))
      ?.run()
      .catch((reason: unknown) => reason);
    expect(closed).toEqual(['closed']);
    expect(error).toBeInstanceOf(AssertionError);
    return (error as AssertionError).message;
  };

  test('says which promise is broken, and which method must do what', async () => {
    const silent = { ...inProcessQueue(), async enqueue() {} };
    expect(await failureOf(silent, 'polls at once')).toBe(
      [
        'within 3000 ms: a poll for a job that is due',
        '',
        'Broken promise: polls at once for a job that is due.',
        'enqueue() with delayMs 0 must lead to a call of the poll that start() was given.',
      ].join('\n'),
    );
  });

  test('names the methods that a queue lacks', async () => {
    expect(await failureOf({ async enqueue() {} }, 'polls at once')).toContain(
      'queue lacks the methods start, stop of DeliveryQueue',
    );
  });
});

describe('the case of what a queue gives', () => {
  const { createQueue } = memoryBackend();
  const under = (options: QueueContractOptions, given: object) =>
    queueContract(async () => ({ queue: createQueue(), ...given, async close() {} }), options)[0]?.run();

  test.each([
    [{}, { secondProcess: createQueue }, /secondProcess is given, and hasSecondProcess is not set/],
    [{}, { cutOff: async () => {} }, /cutOff is given, and hasOutages is not set/],
    [{ hasSecondProcess: true }, {}, /hasSecondProcess is set, and no secondProcess is given/],
  ])('fails where the options %j do not announce it', async (options, given, message) => {
    await expect(under(options, given)).rejects.toThrow(message);
  });

  test('does not begin with a misspelt option', () => {
    // @ts-expect-error what JavaScript may pass
    expect(() => queueContract(async () => Promise.reject(), { hasPeer: true })).toThrow(/unknown option/);
  });
});
