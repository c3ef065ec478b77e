import { setTimeout as sleep } from 'node:timers/promises';
import { migrateWebhooks } from '../src/kysely/migrations/migrate.ts';
import { type Answer, startCountingRecipient } from './counting-recipient.ts';
import { openDatabase, openEngine } from './engine.ts';
import { SETUPS, type SetupName } from './setup.ts';
import { startWorker } from './worker-process.ts';

/** What a recipient accepts in a second; it answers 429 to the rest. */
const PER_SECOND = 60;
/** The bound of the proof: requests for each event. */
const MAX_REQUESTS_PER_EVENT = 1.2;
/** So many requests are under way when the recipient has had enough. */
const DEFAULT_PER_WEBHOOK = 10;
const EVENTS_AT_ONCE = 100;
const POLL_MS = 500;
/** Beside the time that the recipient needs to accept all. */
const PATIENCE = 3;

/** What came of a proof. */
export interface BusyVerdict {
  readonly events: number;
  readonly lost: number;
  readonly unsuccessful: number;
  readonly requests: number;
  readonly holds: boolean;
}

/**
 * Dispatches all events at once to a recipient that accepts sixty a second, and counts the requests
 * until one worker has delivered all.
 */
export async function proveBusy(name: SetupName, events: number): Promise<BusyVerdict> {
  const setup = await SETUPS[name]();
  const settings = { ...setup.settings, maxConcurrentPerWebhook: DEFAULT_PER_WEBHOOK };
  const migrating = openDatabase(settings.storage);
  await migrateWebhooks(migrating);
  await migrating.destroy();
  const recipient = await startCountingRecipient(acceptSome());
  const engine = await openEngine(settings);
  const { webhooks } = engine;
  const worker = await startWorker(settings);
  try {
    const { id } = await webhooks.create({ url: recipient.url });
    for (let n = 0; n < events; n += EVENTS_AT_ONCE) {
      const group = Array.from({ length: Math.min(EVENTS_AT_ONCE, events - n) });
      await Promise.all(group.map(() => webhooks.dispatch('order.created', {})));
    }
    const deadline = Date.now() + PATIENCE * (events / PER_SECOND) * 1_000;
    const counts = async () => (await webhooks.get(id)).stats;
    while ((await counts()).pending > 0 && Date.now() < deadline) await sleep(POLL_MS);
    const { success } = await counts();
    const lost = events - recipient.accepted.size;
    const { requests } = recipient;
    const holds = lost === 0 && success === events && requests <= MAX_REQUESTS_PER_EVENT * events;
    return { events, lost, unsuccessful: events - success, requests, holds };
  } finally {
    await worker.close();
    await engine.close();
    await recipient.close();
    await setup.remove();
  }
}

/** Accepts so many requests in each second of its clock, and asks the others to wait for one. */
function acceptSome(): () => Answer {
  let second = 0;
  let left = PER_SECOND;
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second) left = PER_SECOND;
    second = now;
    left -= 1;
    return { status: left >= 0 ? 200 : 429 };
  };
}
