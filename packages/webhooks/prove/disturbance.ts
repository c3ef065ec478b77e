import { setTimeout as sleep } from 'node:timers/promises';
import type { Setup } from './setup.ts';
import type { WorkerProcess } from './worker-process.ts';
import { ATTEMPT_TIMEOUT_MS } from './worker-settings.ts';

/** Two workers while they are being disturbed. */
export interface Crew {
  readonly setup: Setup;
  readonly workers: WorkerProcess[];
  /** Deliveries that these workers hold a claim on, now. */
  countInFlight(workers: readonly WorkerProcess[]): Promise<number>;
  startWorker(): Promise<WorkerProcess>;
}

/** What a disturbance came to. */
export interface Cut {
  /** How often something was cut off: a disturbance that met nothing proves nothing. */
  readonly times: number;
  /** Deliveries in flight at those moments: so many may be sent twice. */
  readonly inFlight: number;
}

/** Something that happens to the workers while they deliver. */
export interface Disturbance {
  /** What it must come to at least, for the proof to show anything. */
  readonly minTimes: number;
  /** All deliveries are due before the first worker starts. */
  readonly isAfterDispatch?: boolean;
  disturb(crew: Crew): Promise<Cut>;
}

const KILLS = 24;
const BETWEEN_KILLS_MS = 700;
/** Time for a queue and both workers to be busy. */
const MIDDLE_MS = 6_000;
/** A claim lasts for its attempt's timeout and half a minute; this is longer. */
const BEYOND_LEASE_MS = ATTEMPT_TIMEOUT_MS + 38_000;
const MAX_TRIES = 1_000;
const BETWEEN_TRIES_MS = 20;

/**
 * Kills one worker after the other in the middle of its work; another one stands by in its place.
 */
export const killAgainAndAgain: Disturbance = {
  minTimes: 20,
  async disturb(crew) {
    let times = 0;
    let inFlight = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const index = kill % crew.workers.length;
      const worker = crew.workers[index];
      if (worker === undefined) continue;
      const [successor] = await Promise.all([crew.startWorker(), sleep(BETWEEN_KILLS_MS)]);
      await freezeAtWork([worker], crew);
      // Frozen, so that what is counted is what the kill cuts off.
      const cutOff = await crew.countInFlight([worker]);
      await worker.kill();
      inFlight += cutOff;
      if (cutOff > 0) times += 1;
      crew.workers[index] = successor;
    }
    console.log(`  killed ${KILLS} workers, ${times} of them with deliveries in flight`);
    return { times, inFlight };
  },
};

/** Takes away every job that the queue holds, those for retries to come included. */
export const flushRedis: Disturbance = {
  minTimes: 1,
  async disturb({ setup: { redis } }) {
    await sleep(MIDDLE_MS);
    const jobs = (await redis?.flush()) ?? 0;
    console.log(`  flushed Redis with ${jobs} jobs in it`);
    return { times: jobs > 0 ? 1 : 0, inFlight: 0 };
  },
};

/**
 * Takes the database away from everybody, for a moment. Results that could not be recorded leave a
 * claim behind.
 */
export const restartPostgres: Disturbance = {
  minTimes: 1,
  async disturb(crew) {
    await sleep(MIDDLE_MS);
    const inFlight = await freezeAtWork(crew.workers, crew);
    await crew.setup.postgres?.restart();
    for (const worker of crew.workers) worker.thaw();
    console.log(`  restarted PostgreSQL with ${inFlight} deliveries in flight`);
    return { times: inFlight > 0 ? 1 : 0, inFlight };
  },
};

/**
 * Stops a worker for longer than its claims last, so that another takes them over, and lets it go
 * on.
 */
export const freezeBeyondLease: Disturbance = {
  minTimes: 1,
  async disturb(crew) {
    const worker = crew.workers.slice(0, 1);
    await sleep(MIDDLE_MS);
    const inFlight = await freezeAtWork(worker, crew);
    console.log(`  froze a worker for ${BEYOND_LEASE_MS / 1_000} s with ${inFlight} deliveries in flight`);
    await sleep(BEYOND_LEASE_MS);
    for (const each of worker) each.thaw();
    return { times: inFlight > 0 ? 1 : 0, inFlight };
  },
};

/** Ten thousand that are due, two workers, and nothing happens. */
export const nothing: Disturbance = {
  minTimes: 0,
  isAfterDispatch: true,
  disturb: async () => ({ times: 0, inFlight: 0 }),
};

/** Freezes workers, again until they hold deliveries at that moment, and answers how many. */
async function freezeAtWork(workers: readonly WorkerProcess[], crew: Crew): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    for (const worker of workers) worker.freeze();
    const inFlight = await crew.countInFlight(workers);
    if (inFlight > 0 || attempt === MAX_TRIES) return inFlight;
    for (const worker of workers) worker.thaw();
    await sleep(BETWEEN_TRIES_MS);
  }
}
