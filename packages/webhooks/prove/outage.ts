import { once } from 'node:events';
import { createServer } from 'node:http';
import { kyselyStorage } from '../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../src/kysely/migrations/migrate.ts';
import { silentLogger } from '../src/logging/logger.ts';
import { createTestClock } from '../src/testing/test-clock.ts';
import { createWebhooks } from '../src/webhooks.ts';
import { openDatabase } from './engine.ts';
import { SETUPS } from './setup.ts';

const HOURS = 24;
const STEP_MS = 15 * 60_000;
const STEPS_PER_HOUR = 4;
const MINUTE_MS = 60_000;
/** Of each delivery, by default. */
const ATTEMPTS = 4;
/** After the outage: time for what is pending, and its retries. */
const MINUTES_AFTER = 70;
/** By this much the heap may grow, whatever has failed. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;

/** What came of a proof. */
export interface OutageVerdict {
  readonly events: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly inOrder: boolean;
  /** Requests for poisoned events beyond their four attempts. */
  readonly poisonReopened: number;
  readonly holds: boolean;
}

/**
 * A recipient is away for 24 simulated hours, with new events meanwhile, and comes back. Everything
 * must arrive once, what had failed in the order of creation, and nobody calls `recover`. A second
 * webhook with one poisoned event an hour is left alone, and a third one is not disturbed.
 */
export async function proveOutage(eventsPerHour: number): Promise<OutageVerdict> {
  const setup = await SETUPS['SQLite with p-queue']();
  const db = openDatabase(setup.settings.storage);
  await migrateWebhooks(db);
  const recipient = await startRecipient();
  const clock = createTestClock();
  const webhooks = createWebhooks({
    storage: kyselyStorage(db),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    clock,
    logger: silentLogger,
    // One after the other: the order of requests is that of the queue.
    maxConcurrentPerWebhook: 1,
    recoverAfterOutage: true,
    sweepIntervalMs: 100,
  });
  const create = (path: string, event: string) =>
    webhooks.create({ url: `${recipient.url}${path}`, events: [event] });
  try {
    const away = await create('away', 'order.created');
    await create('well', 'order.created');
    await create('poison', 'stock.changed');
    await webhooks.start();
    const heapBefore = process.memoryUsage().heapUsed;
    let events = 0;
    for (let step = 0; step < HOURS * STEPS_PER_HOUR; step += 1) {
      for (let i = 0; i < eventsPerHour / STEPS_PER_HOUR; i += 1) {
        events += 1;
        await webhooks.dispatch('order.created', { n: events });
      }
      await webhooks.dispatch('stock.changed', { isPoison: step % STEPS_PER_HOUR === 0 });
      await webhooks.drain();
      clock.advance(STEP_MS);
    }
    const { stats } = await webhooks.get(away.id);
    recipient.comesBack();
    await webhooks.dispatch('order.created', { n: ++events });
    for (let minute = 0; minute < MINUTES_AFTER; minute += 1) {
      await webhooks.drain();
      clock.advance(MINUTE_MS);
    }
    const growth = process.memoryUsage().heapUsed - heapBefore;
    const { accepted, poisoned } = recipient;
    const recovered = accepted.away.filter((n) => (recipient.refused.get(n) ?? 0) >= ATTEMPTS);
    const lost = 2 * events - new Set(accepted.away).size - new Set(accepted.well).size;
    const duplicates = accepted.away.length + accepted.well.length - (2 * events - lost);
    const inOrder =
      recovered.length >= stats.failed && recovered.every((n, i) => n > (recovered[i - 1] ?? 0));
    const poisonReopened = Math.max(0, ...[...poisoned.values()].map((requests) => requests - ATTEMPTS));
    const isWhole = lost === 0 && duplicates === 0 && inOrder && poisonReopened === 0;
    return { events, lost, duplicates, inOrder, poisonReopened, holds: isWhole && growth < MAX_GROWTH_BYTES };
  } finally {
    await webhooks.close();
    await recipient.close();
    await db.destroy();
    await setup.remove();
  }
}

async function startRecipient() {
  let isAway = true;
  const accepted = { away: [] as number[], well: [] as number[] };
  const poisoned = new Map<string, number>();
  /** How often each event was refused while the recipient was away. */
  const refused = new Map<number, number>();
  const server = createServer((request, response) => {
    const path = request.url?.slice(1);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
        data: { n: number; isPoison?: boolean };
      };
      const id = String(request.headers['x-webhook-id']);
      if (data.isPoison) poisoned.set(id, (poisoned.get(id) ?? 0) + 1);
      const isFailure = data.isPoison || (path === 'away' && isAway);
      if (isFailure && path === 'away') refused.set(data.n, (refused.get(data.n) ?? 0) + 1);
      if (!isFailure && (path === 'away' || path === 'well')) accepted[path].push(data.n);
      response.writeHead(isFailure ? 503 : 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recipient has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    accepted,
    poisoned,
    refused,
    comesBack() {
      isAway = false;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
