import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { migrateWebhooks } from '../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../src/kysely/tables.ts';
import type { Webhooks } from '../src/webhooks.ts';
import { type Answer, startCountingRecipient } from './counting-recipient.ts';
import type { Crew, Disturbance } from './disturbance.ts';
import { openDatabase, openEngine } from './engine.ts';
import { SETUPS, type SetupName } from './setup.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** What came of a proof. */
export interface Verdict {
  readonly deliveries: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly inFlight: number;
  readonly unsuccessful: number;
  readonly holds: boolean;
}

const WEBHOOKS = 20;
const WORKERS = 2;
const ANSWER_AFTER_MS = 100;
/** Events that go out together, and how long after the last ones: about 350 deliveries a second. */
const EVENTS_PER_BURST = 7;
const BETWEEN_BURSTS_MS = 400;
/** Claims that a worker may hold at once: each of the last ones may have left deliveries behind. */
const MAX_TOKENS = 200;
const PATIENCE_MS = 240_000;
const POLL_MS = 500;

/**
 * Dispatches events from one process, delivers them from two others while something happens to
 * these, and counts. At least so many deliveries; more where the disturbance takes longer than they
 * do, so that there is always work to cut off.
 */
export async function prove(
  name: SetupName,
  { disturb, minTimes, isAfterDispatch = false }: Disturbance,
  minDeliveries: number,
): Promise<Verdict> {
  const setup = await SETUPS[name]();
  const { settings } = setup;
  const migrating = openDatabase(settings.storage);
  await migrateWebhooks(migrating);
  await migrating.destroy();
  const recipient = await startCountingRecipient(acceptMost);
  const engine = await openEngine(settings);
  for (let index = 0; index < WEBHOOKS; index++) await engine.webhooks.create({ url: recipient.url });
  const workers: WorkerProcess[] = [];
  const crew: Crew = {
    setup,
    workers,
    countInFlight: (some) => untilAnswered(() => countClaims(engine.db, some)),
    startWorker: () => startWorker(settings),
  };
  const hire = async () => {
    workers.push(...(await Promise.all(Array.from({ length: WORKERS }, () => startWorker(settings)))));
  };
  try {
    if (!isAfterDispatch) await hire();
    let isDisturbed = isAfterDispatch;
    const disturbing = isAfterDispatch ? undefined : disturb(crew).finally(() => (isDisturbed = true));
    const deliveries = await dispatchEvents(
      engine.webhooks,
      minDeliveries,
      () => isDisturbed,
      isAfterDispatch,
    );
    const { times, inFlight } = (await disturbing) ?? { times: 0, inFlight: 0 };
    if (isAfterDispatch) await hire();
    await allEnded(engine.db);
    const unsuccessful = deliveries - (await countRows(engine.db, 'success'));
    const duplicates = [...recipient.accepted.values()].reduce((sum, count) => sum + count - 1, 0);
    const lost = deliveries - recipient.accepted.size;
    const holds = lost === 0 && unsuccessful === 0 && duplicates <= inFlight && times >= minTimes;
    return { deliveries, lost, duplicates, inFlight, unsuccessful, holds };
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
    await engine.close();
    await recipient.close();
    await setup.remove();
  }
}

/**
 * In bursts, or all at once; one that a database refuses is repeated under its key, so that nothing
 * is dispatched twice.
 *
 * @returns how many deliveries there are to be
 */
async function dispatchEvents(
  webhooks: Webhooks,
  minDeliveries: number,
  isEnough: () => boolean,
  isAtOnce: boolean,
): Promise<number> {
  let events = 0;
  while (events * WEBHOOKS < minDeliveries || !isEnough()) {
    const keys = Array.from({ length: EVENTS_PER_BURST }, (_, index) => `event-${events + index}`);
    await Promise.all(
      keys.map((idempotencyKey) =>
        untilAnswered(() => webhooks.dispatch('order.created', { key: idempotencyKey }, { idempotencyKey })),
      ),
    );
    events += keys.length;
    if (!isAtOnce) await sleep(BETWEEN_BURSTS_MS);
  }
  return events * WEBHOOKS;
}

async function countClaims(db: Kysely<WebhookTables>, workers: readonly WorkerProcess[]): Promise<number> {
  const claimTokens = workers.flatMap((worker) => worker.claimTokens.slice(-MAX_TOKENS));
  if (claimTokens.length === 0) return 0;
  const { rows } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('status', '=', 'pending')
    .where('claim_token', 'in', claimTokens)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

async function countRows(db: Kysely<WebhookTables>, status: 'pending' | 'success'): Promise<number> {
  const { rows } = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('status', '=', status)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** However slow the machine is: gives up where nothing has ended for so long. */
async function allEnded(db: Kysely<WebhookTables>): Promise<void> {
  const countPending = () => untilAnswered(() => countRows(db, 'pending'));
  let pending = await countPending();
  for (let deadline = Date.now() + PATIENCE_MS; pending > 0 && Date.now() < deadline; ) {
    await sleep(POLL_MS);
    const left = await countPending();
    if (left < pending) deadline = Date.now() + PATIENCE_MS;
    pending = left;
  }
}

/** Asks again while a service that was taken away comes back. */
async function untilAnswered<Result>(ask: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}

/** Busy for one in sixteen first attempts: there are retries, and jobs for them, all the time. */
function acceptMost(deliveryId: string, attempt: number): Answer {
  const isBusy = attempt === 1 && deliveryId.endsWith('0');
  return { status: isBusy ? 503 : 200, afterMs: ANSWER_AFTER_MS };
}
