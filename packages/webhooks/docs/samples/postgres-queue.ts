import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryQueue, inProcessQueue } from '@acme/webhooks';
import type { Pool, PoolClient } from 'pg';

export function postgresQueue(pool: Pool, channel = 'webhooks'): DeliveryQueue {
  const local = inProcessQueue(); // polls when signals are due, one poll at a time
  const stopping = new AbortController();
  const delays = new Set<number>(); // to be sent in one statement
  let sending: Promise<unknown> = Promise.resolve();
  function send() {
    const batch = [...delays];
    delays.clear();
    return pool.query('select pg_notify($1, delay) from unnest($2::text[]) as delay', [channel, batch]);
  }
  async function listen() {
    const client = await pool.connect();
    client.on('error', () => {}); // once() reports the first error; a second one must not end the process
    client.on('notification', ({ payload }) => local.enqueue([{ deliveryId: '', delayMs: Number(payload) }]));
    await client.query(`listen ${client.escapeIdentifier(channel)}`).catch(closing(client));
    return client;
  }
  async function keepListening(client: PoolClient | undefined, report: (error: unknown) => void) {
    while (!stopping.signal.aborted) {
      try {
        client ??= await listen();
        await once(client, 'end', { signal: stopping.signal }); // rejects when the connection is lost
      } catch (error) {
        if (!stopping.signal.aborted) report(error);
      }
      client?.release(true);
      client = undefined;
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  return {
    async enqueue(jobs) {
      if (jobs.length === 0 || stopping.signal.aborted) return;
      if (delays.size === 0) sending = sending.catch(() => {}).then(send);
      for (const { delayMs } of jobs) delays.add(Math.ceil(delayMs / 100) * 100);
      await sending;
    },
    async start(poll, report = () => {}) {
      const client = await listen(); // rejects if PostgreSQL is unreachable
      await local.start(poll).catch(closing(client)); // rejects a second start, and one after stop
      void keepListening(client, report);
    },
    async stop() {
      stopping.abort();
      const late = sleep(5_000, undefined, { ref: false }); // PostgreSQL may never answer
      await Promise.race([late, Promise.allSettled([sending, local.stop()])]);
    },
  };
}

const closing = (client: PoolClient) => (error: unknown) => {
  client.release(true);
  throw error;
};
