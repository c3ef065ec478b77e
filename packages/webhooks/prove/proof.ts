import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { migrateWebhooks } from '../src/kysely/migrate.ts';
import type { WebhookTables } from '../src/kysely/tables.ts';
import type { Webhooks } from '../src/webhooks.ts';
import { startCountingRecipient } from './counting-recipient.ts';
import type { Crew, Disturbance } from './disturbance.ts';
import { openDatabase, openEngine } from './engine.ts';
import { SETUPS, type SetupName } from './setup.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** What came of a proof. */
export interface Verdict {
  readonly expected: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly inFlight: number;
  readonly unsuccessful: number;
  readonly holds: boolean;
}

const WEBHOOKS = 20;
const WORKERS = 2;
const ANSWER_AFTER_MS = 100;
/** Events go out over so long, so that whatever happens, happens in the middle of them. */
const SPAN_MS = 20_000;
const BURSTS = 20;
const PATIENCE_MS = 240_000;
const POLL_MS = 500;

/** Dispatches events from one process, delivers them from two others while something happens to these, and counts. */
export async function prove(name: SetupName, disturb: Disturbance, deliveries: number): Promise<Verdict> {
  const setup = await SETUPS[name]();
  const { settings } = setup;
  const migrating = openDatabase(settings.storage);
  await migrateWebhooks(migrating);
  await migrating.destroy();
  const recipient = await startCountingRecipient(ANSWER_AFTER_MS);
  const engine = await openEngine(settings);
  for (let index = 0; index < WEBHOOKS; index++) await engine.webhooks.create({ url: recipient.url });
  const crew: Crew = {
    setup,
    workers: await Promise.all(Array.from({ length: WORKERS }, () => startWorker(settings))),
    countInFlight: (worker) => untilAnswered(() => countClaims(engine.db, worker)),
    startWorker: () => startWorker(settings),
  };
  try {
    const [inFlight] = await Promise.all([disturb(crew), dispatchEvents(engine.webhooks, deliveries)]);
    await allEnded(engine.db);
    const succeeded = await countRows(engine.db, 'success');
    const duplicates = [...recipient.received.values()].reduce((sum, count) => sum + count - 1, 0);
    const lost = deliveries - recipient.received.size;
    const unsuccessful = deliveries - succeeded;
    const holds = lost === 0 && unsuccessful === 0 && duplicates <= inFlight;
    return { expected: deliveries, lost, duplicates, inFlight, unsuccessful, holds };
  } finally {
    await Promise.all(crew.workers.map((worker) => worker.close()));
    await engine.close();
    await recipient.close();
    await setup.remove();
  }
}

/** In bursts; one that a database refuses is repeated under its key, so that nothing is dispatched twice. */
async function dispatchEvents(webhooks: Webhooks, deliveries: number): Promise<void> {
  const events = deliveries / WEBHOOKS;
  const perBurst = Math.ceil(events / BURSTS);
  for (let sent = 0; sent < events; sent += perBurst) {
    const keys = Array.from(
      { length: Math.min(perBurst, events - sent) },
      (_, index) => `event-${sent + index}`,
    );
    await Promise.all(
      keys.map((idempotencyKey) =>
        untilAnswered(() => webhooks.dispatch('order.created', { key: idempotencyKey }, { idempotencyKey })),
      ),
    );
    await sleep(SPAN_MS / BURSTS);
  }
}

async function countClaims(db: Kysely<WebhookTables>, { claimTokens }: WorkerProcess): Promise<number> {
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

async function allEnded(db: Kysely<WebhookTables>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while ((await countRows(db, 'pending')) > 0 && Date.now() < deadline) await sleep(POLL_MS);
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
