import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { dependableNow } from '../clock.ts';
import { AuthError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import type { LoginFailureChange, LoginFailureCounts, LoginFailureStore } from './login-failure-store.ts';

/** How long a log-in waits for an answer of the store. */
export const STORE_DEADLINE_MS = 3_000;
/** How long the store is left alone after it has failed, so that not every log-in waits for it. */
const STORE_PAUSE_SECONDS = 5;
const REPORT_EVERY_SECONDS = 60;

type Counts = readonly LoginFailureCounts[];

/** The host's store, whose failures are bounded in time, logged, and never thrown by `add`. */
export interface SupervisedStore {
  /** False for 5 s after the store has failed or was late. */
  isAnswering(): boolean;
  /**
   * Returns the new counts. If the store fails or is late, it returns `late`, which may still bring
   * them; the failure is logged, once a minute.
   */
  add(
    changes: readonly LoginFailureChange[],
  ): Promise<{ readonly counts: Counts } | { late: Promise<Counts> }>;
  /**
   * Forgets the counts of the keys, and returns them.
   *
   * @throws AuthError `unavailable`, if the store fails or is late
   */
  forget(keys: readonly string[]): Promise<Counts>;
}

export interface SupervisedStoreConfig {
  readonly store: LoginFailureStore;
  readonly keepSeconds: number;
  /** What is counted, for messages: a plural. */
  readonly counted: string;
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: () => number;
}

export function superviseStore(config: SupervisedStoreConfig): SupervisedStore {
  const { store, keepSeconds, counted, logger } = config;
  const now = dependableNow(config.now);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function reportFailure(err: unknown): void {
    const time = now();
    pausedUntil = time + STORE_PAUSE_SECONDS;
    // A clock that was set back must not silence the report.
    if (time >= reportedAt && time < reportedAt + REPORT_EVERY_SECONDS) return;
    reportedAt = time;
    logger.error({ err }, `The store of ${counted} fails: this process counts by itself`);
  }

  return {
    isAnswering() {
      const time = now();
      // A clock that was set back must not prolong the pause.
      return time >= pausedUntil || time < pausedUntil - STORE_PAUSE_SECONDS;
    },

    async add(changes) {
      const adding = (async () => readCounts(await store.add(changes, keepSeconds), changes))();
      try {
        return { counts: await inTime(adding) };
      } catch (error) {
        reportFailure(error);
        return { late: adding };
      }
    },

    async forget(keys) {
      try {
        const forgetting = Promise.all(keys.map(async (key) => await store.forget(key)));
        return readCounts(await inTime(forgetting), keys);
      } catch (cause) {
        throw new AuthError('unavailable', `The store of ${counted} fails`, { cause });
      }
    },
  };
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return await withDeadline(work, STORE_DEADLINE_MS, () => {
    throw new AuthError('unavailable', `The store has not answered within ${STORE_DEADLINE_MS} ms`);
  });
}

/** @throws TypeError unless the store gives possible counts for all of `asked` */
function readCounts(counts: Counts, asked: readonly unknown[]): Counts {
  if (Array.isArray(counts) && counts.length === asked.length && counts.every(isPossible)) return counts;
  throw new TypeError('The store must return { failures, underWay } for each key');
}

function isPossible(counts: LoginFailureCounts | undefined): boolean {
  return (
    Number.isSafeInteger(counts?.failures) &&
    Number.isSafeInteger(counts?.underWay) &&
    (counts?.failures ?? -1) >= 0
  );
}
