import { kyselyStorage } from '../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../src/kysely/migrations/migrate.ts';
import { silentLogger } from '../src/logging/logger.ts';
import { createTestClock } from '../src/testing/test-clock.ts';
import { createWebhooks } from '../src/webhooks.ts';
import { startCountingRecipient } from './counting-recipient.ts';
import { openDatabase } from './engine.ts';
import { SETUPS } from './setup.ts';

const HOURS = 24;
const STEP_MS = 15 * 60_000;
const STEPS_PER_HOUR = 4;
const MINUTE_MS = 60_000;
/** Of each delivery, by default. */
const ATTEMPTS = 4;
const POISON = 'stock.spoiled';
/** After the outage: time for what is pending, and its retries. */
const MINUTES_AFTER = 70;
/** One after the other: however slow the machine, each request has so long. */
const MS_PER_REQUEST = 100;
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
  let isAway = true;
  let poisonReopened = 0;
  /** What was accepted after a first series of attempts, in this order. */
  const recovered: string[] = [];
  const away = await startCountingRecipient((id, attempt) => {
    if (!isAway && attempt > ATTEMPTS) recovered.push(id);
    return { status: isAway ? 503 : 204 };
  });
  const well = await startCountingRecipient(() => ({ status: 204 }));
  const poisoned = await startCountingRecipient((_, attempt, event) => {
    poisonReopened = Math.max(poisonReopened, attempt - ATTEMPTS);
    return { status: event === POISON ? 503 : 204 };
  });
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
  try {
    const { id } = await webhooks.create({ url: away.url, events: ['order.created'] });
    await webhooks.create({ url: well.url, events: ['order.created'] });
    await webhooks.create({ url: poisoned.url, events: ['stock.*'] });
    await webhooks.start();
    const heapBefore = process.memoryUsage().heapUsed;
    let events = 0;
    for (let step = 0; step < HOURS * STEPS_PER_HOUR; step += 1) {
      for (let i = 0; i < eventsPerHour / STEPS_PER_HOUR; i += 1) {
        events += 1;
        await webhooks.dispatch('order.created', {});
      }
      await webhooks.dispatch(step % STEPS_PER_HOUR === 0 ? POISON : 'stock.changed', {});
      await webhooks.drain();
      clock.advance(STEP_MS);
    }
    const { stats } = await webhooks.get(id);
    isAway = false;
    const timeoutMs = Math.min((stats.failed + stats.pending) * MS_PER_REQUEST + 30_000, 3_600_000);
    events += 1;
    await webhooks.dispatch('order.created', {});
    for (let minute = 0; minute < MINUTES_AFTER; minute += 1) {
      await webhooks.drain({ timeoutMs });
      clock.advance(MINUTE_MS);
    }
    const growth = process.memoryUsage().heapUsed - heapBefore;
    const accepted = [...away.accepted.values(), ...well.accepted.values()];
    const lost = 2 * events - accepted.length;
    const duplicates = accepted.reduce((sum, count) => sum + count - 1, 0);
    const created = await db.selectFrom('webhook_deliveries').select('delivery_id').orderBy('id').execute();
    const order = new Map(created.map(({ delivery_id }, index) => [delivery_id, index]));
    const places = recovered.map((deliveryId) => order.get(deliveryId) ?? -1);
    const inOrder = places.length >= stats.failed && places.every((at, i) => at > (places[i - 1] ?? -1));
    const isWhole = lost === 0 && duplicates === 0 && inOrder && poisonReopened === 0;
    return { events, lost, duplicates, inOrder, poisonReopened, holds: isWhole && growth < MAX_GROWTH_BYTES };
  } finally {
    await webhooks.close();
    await Promise.all([away, well, poisoned].map((recipient) => recipient.close()));
    await db.destroy();
    await setup.remove();
  }
}
