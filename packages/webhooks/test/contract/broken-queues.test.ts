import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { queueContract } from '../../src/testing/index.ts';
import { brokenQueues } from './broken-queues.ts';
import { memoryEngine } from './memory-engine.ts';

/** Nothing here waits for a service; what is sound takes milliseconds. */
const QUICK = { hasPeers: true, hasOutages: true, latencyMs: 150, timeoutMs: 5_000 };

describe('the contract', () => {
  test.concurrent.each(brokenQueues)('refuses a queue that $fault', async ({ create, noticedBy }) => {
    const cases = queueContract(async () => create(), QUICK).filter(({ name }) => name.includes(noticedBy));
    expect(cases).toHaveLength(1);
    for (const { run } of cases) await expect(run()).rejects.toBeInstanceOf(AssertionError);
  });
});

describe('what the broken queues are made of', () => {
  const cases = queueContract(async () => {
    const engine = memoryEngine();
    return {
      queue: engine.createQueue(),
      createPeer: engine.createQueue,
      cutOff: engine.cutOff,
      async close() {},
    };
  }, QUICK);
  for (const { name, run } of cases) test.concurrent(name, run);
});
