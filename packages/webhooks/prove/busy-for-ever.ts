import { kyselyStorage } from '../src/kysely/kysely-storage.ts';
import { migrateWebhooks } from '../src/kysely/migrations/migrate.ts';
import { silentLogger } from '../src/logging/logger.ts';
import { createTestClock } from '../src/testing/test-clock.ts';
import { createWebhooks } from '../src/webhooks.ts';
import { startCountingRecipient } from './counting-recipient.ts';
import { openDatabase } from './engine.ts';
import { SETUPS } from './setup.ts';

const DAYS = 35;
const STEP_MS = 15 * 60_000;
const STEPS_PER_DAY = 96;
const EVENTS_PER_STEP = 2;
/** The bounds of the proof. */
const MAX_REQUESTS_A_DAY = 30;
const MAX_WAIT_MS = 25 * 3_600_000;
/** What is reopened is created within three days before the first success. */
const RECOVERED_DAYS = 3;

/** What came of a proof. */
export interface EndlessVerdict {
  readonly events: number;
  readonly expired: number;
  /** Of any day but the first. */
  readonly mostRequestsADay: number;
  readonly longestWaitMs: number;
  readonly isTold: boolean;
  readonly recovered: number;
  readonly holds: boolean;
}

/**
 * A recipient asks to wait for 35 simulated days, with new events meanwhile, two workers and a
 * restart each day, and then accepts. Each event must have ended within about a day of its
 * creation, the recipient is asked at most thirty times a day, and what failed last arrives.
 */
export async function proveBusyForEver(): Promise<EndlessVerdict> {
  const setup = await SETUPS['SQLite with p-queue']();
  const db = openDatabase(setup.settings.storage);
  await migrateWebhooks(db);
  let isBusy = true;
  const recipient = await startCountingRecipient(() => ({ status: isBusy ? 429 : 204 }));
  const clock = createTestClock();
  const told: string[] = [];
  const start = async () => {
    const webhooks = createWebhooks({
      storage: kyselyStorage(db),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
      clock,
      logger: silentLogger,
      recoverAfterOutage: true,
      sweepIntervalMs: 100,
      onWebhookFailing: ({ state }) => void told.push(state),
    });
    await webhooks.start();
    return webhooks;
  };
  let workers = [await start(), await start()];
  const [first] = workers;
  if (first === undefined) throw new Error('No worker has started');
  try {
    await first.create({ url: recipient.url });
    let [events, expired, mostRequestsADay] = [0, 0, 0];
    for (let day = 0; day < DAYS; day += 1) {
      const { requests } = recipient;
      for (let step = 0; step < STEPS_PER_DAY; step += 1) {
        for (let i = 0; i < EVENTS_PER_STEP; i += 1) await workers[i % 2]?.dispatch('order.created', {});
        events += EVENTS_PER_STEP;
        // Both, so that no time passes during an attempt.
        for (const worker of workers) await worker.drain();
        clock.advance(STEP_MS);
      }
      if (day > 0) mostRequestsADay = Math.max(mostRequestsADay, recipient.requests - requests);
      expired += (await workers[0]?.purgeDeliveries())?.expired ?? 0;
      await Promise.all(workers.map((worker) => worker.close()));
      workers = [await start(), await start()];
    }
    // What is reopened to find out whether it is over waits for as long again.
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select(['status', 'error', 'created_at', 'completed_at'])
      .where('series_since', 'is', null)
      .execute();
    const waits = rows.map(({ created_at, completed_at }) => {
      return (completed_at === null ? clock() : Date.parse(completed_at)) - Date.parse(created_at);
    });
    const longestWaitMs = waits.reduce((a, b) => Math.max(a, b), 0);
    isBusy = false;
    for (let step = 0; step < STEPS_PER_DAY; step += 1) {
      for (const worker of workers) await worker.drain();
      clock.advance(STEP_MS);
    }
    const recovered = recipient.accepted.size;
    const isTold = told[0] === 'down' && told.at(-1) === 'well';
    const isRecovered = recovered >= (RECOVERED_DAYS - 1) * STEPS_PER_DAY * EVENTS_PER_STEP;
    const isBounded = mostRequestsADay <= MAX_REQUESTS_A_DAY && longestWaitMs <= MAX_WAIT_MS;
    const holds = expired === 0 && isTold && isRecovered && isBounded;
    return { events, expired, mostRequestsADay, longestWaitMs, isTold, recovered, holds };
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
    await recipient.close();
    await db.destroy();
    await setup.remove();
  }
}
