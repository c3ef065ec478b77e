import { setTimeout as sleep } from 'node:timers/promises';
import type { Setup } from './setup.ts';
import type { WorkerProcess } from './worker-process.ts';
import { ATTEMPT_TIMEOUT_MS } from './worker-settings.ts';

/** Two workers while they are being disturbed. */
export interface Crew {
  readonly setup: Setup;
  readonly workers: WorkerProcess[];
  /** Deliveries that a worker holds a claim on, now. */
  countInFlight(worker: WorkerProcess): Promise<number>;
  startWorker(): Promise<WorkerProcess>;
}

/** What happens to the workers meanwhile; answers how many deliveries were in flight where something was cut off. */
export type Disturbance = (crew: Crew) => Promise<number>;

const KILLS = 24;
const BETWEEN_KILLS_MS = 900;
const MIDDLE_MS = 8_000;
const MAX_FREEZES = 400;
const BETWEEN_FREEZES_MS = 25;
/** A claim lasts for its attempt's timeout and half a minute; this is longer. */
const BEYOND_LEASE_MS = ATTEMPT_TIMEOUT_MS + 38_000;

/** Kills one worker after the other and starts another in its place. */
export async function killAgainAndAgain(crew: Crew): Promise<number> {
  let inFlight = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(BETWEEN_KILLS_MS);
    const index = kill % crew.workers.length;
    const worker = crew.workers[index];
    if (worker === undefined) continue;
    await worker.kill();
    inFlight += await crew.countInFlight(worker);
    crew.workers[index] = await crew.startWorker();
  }
  console.log(`  killed ${KILLS} workers`);
  return inFlight;
}

/** Takes away every job that the queue holds. */
export async function flushRedis({ setup }: Crew): Promise<number> {
  await sleep(MIDDLE_MS);
  await setup.redis?.flush();
  console.log('  flushed Redis');
  return 0;
}

/** Takes the database away from everybody, for a moment. Results that could not be recorded leave a claim behind. */
export async function restartPostgres({ setup, workers, countInFlight }: Crew): Promise<number> {
  await sleep(MIDDLE_MS);
  await setup.postgres?.restart();
  console.log('  restarted PostgreSQL');
  const counts = await Promise.all(workers.map(countInFlight));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Stops a worker for longer than its claims last, so that another takes them over, and lets it go on. */
export async function freezeBeyondLease({ workers, countInFlight }: Crew): Promise<number> {
  const [worker] = workers;
  if (worker === undefined) return 0;
  await sleep(MIDDLE_MS);
  const inFlight = await freezeAtWork(worker, countInFlight);
  console.log(`  froze a worker for ${BEYOND_LEASE_MS / 1_000} s with ${inFlight} deliveries in flight`);
  await sleep(BEYOND_LEASE_MS);
  worker.thaw();
  return inFlight;
}

/** Freezes it again until it holds deliveries at that moment. */
async function freezeAtWork(worker: WorkerProcess, countInFlight: Crew['countInFlight']): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    worker.freeze();
    const inFlight = await countInFlight(worker);
    if (inFlight > 0 || attempt === MAX_FREEZES) return inFlight;
    worker.thaw();
    await sleep(BETWEEN_FREEZES_MS);
  }
}

export async function nothing(): Promise<number> {
  return 0;
}
