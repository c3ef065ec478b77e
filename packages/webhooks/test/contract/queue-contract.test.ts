import { describe, test } from 'vitest';
import { inProcessQueue } from '../../src/queue/in-process-queue.ts';
import { queueContract } from '../../src/testing/index.ts';
import { queueServers } from './queue-servers.ts';

describe('inProcessQueue', () => {
  const cases = queueContract(async () => ({ queue: inProcessQueue(), async close() {} }), {
    latencyMs: 100,
  });
  for (const { name, run } of cases) test.concurrent(name, run);
});

describe.each(queueServers)('the queue on $name', ({ skipped, open }) => {
  const cases = queueContract(
    async () => {
      const backend = await open();
      return {
        queue: backend.createQueue(),
        secondProcess: () => backend.createQueue(),
        cutOff: () => backend.link.cut(),
        close: () => backend.close(),
      };
    },
    { hasSecondProcess: true, hasOutages: true },
  );
  for (const { name, run } of cases) test.skipIf(skipped)(name, { concurrent: true, timeout: 60_000 }, run);
});
