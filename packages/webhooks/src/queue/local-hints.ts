import type { Looks } from './looks.ts';
import type { DeliveryJob } from './queue.ts';

/** The hints that a worker gives to itself. */
export interface LocalHints {
  /** Sees to the jobs due within a second, and answers the others. */
  take(jobs: readonly DeliveryJob[]): readonly DeliveryJob[];
  /** Looks for jobs that are due, and passes them on when that takes too long. */
  announce(jobs: readonly DeliveryJob[]): void;
  /** Ends, and answers the jobs that it has not seen to. */
  close(): readonly DeliveryJob[];
}

/** Jobs due later are filed at once: by then this process may be gone, or busy. */
const SOON_MS = 1_000;
/** Jobs due within this time of one another are one timer. */
const GRAIN_MS = 50;
/** How long a worker may take to look before the others are told. */
const BUSY_AFTER_MS = 100;
/** Ids that are kept meanwhile: more would make no more hints. */
const MAX_KEPT_JOBS = 500;

/** @internal Timers keep no process alive. */
export function createLocalHints(options: {
  readonly looks: Looks;
  /** Tells the others of jobs that this process is too busy for. */
  readonly passOn: (jobs: readonly DeliveryJob[]) => void;
}): LocalHints {
  const { looks, passOn } = options;
  /** Jobs by the time they are due. */
  const soon = new Map<number, { readonly jobs: DeliveryJob[]; readonly timer: NodeJS.Timeout }>();
  let undecided: DeliveryJob[] = [];
  /** The look that stands for everything undecided. */
  let awaited = 0;
  let decision: NodeJS.Timeout | undefined;

  function announce(jobs: readonly DeliveryJob[]): void {
    awaited = looks.next();
    void looks.look();
    keep(undecided, jobs);
    decision ??= setTimeout(decide, BUSY_AFTER_MS).unref();
  }

  function decide(): void {
    decision = undefined;
    const jobs = undecided;
    undecided = [];
    if (looks.ended() < awaited) passOn(jobs);
  }

  function schedule(job: DeliveryJob): void {
    const time = Math.ceil((performance.now() + job.delayMs) / GRAIN_MS) * GRAIN_MS;
    const known = soon.get(time)?.jobs;
    const jobs = known ?? [];
    keep(jobs, [{ ...job, delayMs: 0 }]);
    if (known !== undefined) return;
    const onTime = () => {
      soon.delete(time);
      announce(jobs);
    };
    // A timer may fire up to a millisecond early.
    soon.set(time, { jobs, timer: setTimeout(onTime, time - performance.now() + 1).unref() });
  }

  return {
    announce,
    take(jobs) {
      const due = jobs.filter(({ delayMs }) => delayMs <= 0);
      if (due.length > 0) announce(due);
      for (const job of jobs) if (job.delayMs > 0 && job.delayMs < SOON_MS) schedule(job);
      return jobs.filter(({ delayMs }) => delayMs >= SOON_MS);
    },
    close() {
      clearTimeout(decision);
      const left = looks.ended() < awaited ? undecided : [];
      for (const { jobs, timer } of soon.values()) {
        clearTimeout(timer);
        left.push(...jobs);
      }
      soon.clear();
      return left;
    },
  };
}

function keep(kept: DeliveryJob[], jobs: readonly DeliveryJob[]): void {
  kept.push(...jobs.slice(0, MAX_KEPT_JOBS - kept.length));
}
