import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { POSTGRES_URL, postgresSkipped, uniqueName } from '../../../../test/services/servers.ts';
import { postgresQueue } from '../../docs/samples/postgres-queue.ts';
import { inProcessQueue } from '../../src/queue/in-process-queue.ts';
import { queueContract } from '../../src/testing/index.ts';
import { queueServers } from './queue-servers.ts';
import { openLink } from './severable-link.ts';

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
  for (const { name, run } of cases) test.skipIf(skipped)(name, { concurrent: true, timeout: 240_000 }, run);
});

describe('the queue on NOTIFY that the guide shows', async () => {
  const skipped = await postgresSkipped();

  /** As the processes of one application have it, each with a pool of its own. */
  async function openProcesses() {
    const link = await openLink(POSTGRES_URL, 5_432);
    const channel = uniqueName('webhooks');
    const pools: Pool[] = [];
    return {
      link,
      createQueue() {
        const pool = new Pool({ connectionString: link.url, max: 2, connectionTimeoutMillis: 5_000 });
        pool.on('error', () => {});
        pools.push(pool);
        return postgresQueue(pool, channel);
      },
      async close() {
        await Promise.all(pools.map((pool) => pool.end()));
        await link.cut();
      },
    };
  }

  const cases = queueContract(
    async () => {
      const { link, createQueue, close } = await openProcesses();
      return {
        queue: createQueue(),
        secondProcess: async () => createQueue(),
        cutOff: () => link.cut(),
        close,
      };
    },
    { hasSecondProcess: true, keepsJobs: false, hasOutages: true },
  );
  for (const { name, run } of cases) test.skipIf(skipped)(name, { concurrent: true, timeout: 240_000 }, run);

  test.skipIf(skipped)(
    'reports a lost connection once, and listens again',
    async () => {
      const { link, createQueue, close } = await openProcesses();
      const [worker, producer] = [createQueue(), createQueue()];
      const reported: unknown[] = [];
      let polls = 0;
      await worker.start(
        async () => {
          polls += 1;
        },
        (error) => reported.push(error),
      );
      await link.cut();
      await expect.poll(() => reported.length, { timeout: 60_000 }).toBe(1);
      await link.repair();
      await expect
        .poll(
          async () => {
            await producer.enqueue([{ deliveryId: 'a'.repeat(32), delayMs: 0 }]).catch(() => undefined);
            return polls;
          },
          { timeout: 10_000 },
        )
        .toBeGreaterThan(0);
      expect(reported[0]).toBeInstanceOf(Error);
      await Promise.all([worker.stop(), producer.stop()]);
      await close();
    },
    30_000,
  );

  test('stops after five seconds while PostgreSQL does not answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const pool = new Pool({ host: '127.0.0.1', port });
    const queue = postgresQueue(pool);
    const enqueued = queue.enqueue([{ deliveryId: 'a'.repeat(32), delayMs: 0 }]).catch(() => 'failed');
    await expect.poll(() => sockets.length).toBe(1);
    let isStopped = false;
    await inMockedTime(async (pass) => {
      void queue.stop().then(() => {
        isStopped = true;
      });
      await pass(4_999);
      expect(isStopped).toBe(false);
      await pass(1);
      expect(isStopped).toBe(true);
    });
    for (const socket of sockets) socket.destroy();
    expect(await enqueued).toBe('failed');
    await pool.end();
    silent.close();
  });
});

/** Runs something that waits with `node:timers/promises`, in a time that passes at once. */
async function inMockedTime(run: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] });
  syncBuiltinESMExports();
  try {
    await run(async (ms) => {
      mock.timers.tick(ms);
      await turn();
    });
  } finally {
    mock.timers.reset();
    syncBuiltinESMExports();
  }
}
