import type { Looks } from './looks.ts';
import type { DeliveryJob } from './queue.ts';

/** The hints that a worker gives to itself. */
export interface LocalHints {
  /** Sees to the jobs due within a second, and answers the others. */
  take(jobs: readonly DeliveryJob[]): readonly DeliveryJob[];
  /**
   * Looks for jobs that are due, and passes them on when that takes too long.
   *
   * @param passes how often they were passed on before they came here
   */
  announce(jobs: readonly DeliveryJob[], passes?: number): void;
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
/**
 * Busy workers that a hint goes through. Each keeps one, and takes no other until it has looked: that many have just
 * become busy at the same moment only in large fleets. Where looks take more than 100 ms because the storage is slow,
 * it ends what would go on for ever.
 */
const MAX_PASSES = 20;

/** Jobs that wait for one look. */
interface Announced {
  readonly jobs: DeliveryJob[];
  readonly decision: NodeJS.Timeout;
  passes: number;
}

/** @internal Timers keep no process alive. */
export function createLocalHints(options: {
  readonly looks: Looks;
  /** Tells the others of jobs that this process is too busy for. */
  readonly passOn: (jobs: readonly DeliveryJob[], passes: number) => void;
}): LocalHints {
  const { looks, passOn } = options;
  /** Jobs by the time they are due. */
  const soon = new Map<number, { readonly jobs: DeliveryJob[]; readonly timer: NodeJS.Timeout }>();
  /** By the number of the look that stands for them: at most the one under way and the next. */
  const announced = new Map<number, Announced>();

  function announce(jobs: readonly DeliveryJob[], passes = 0): void {
    forgetSeen();
    const look = looks.next();
    void looks.look();
    if (jobs.length === 0 || passes >= MAX_PASSES) return;
    const known = announced.get(look);
    const waiting = known ?? { jobs: [], passes, decision: setTimeout(decide, BUSY_AFTER_MS, look).unref() };
    keep(waiting.jobs, jobs);
    waiting.passes = Math.max(waiting.passes, passes);
    announced.set(look, waiting);
  }

  function forgetSeen(): void {
    for (const [look, { decision }] of announced) {
      if (look > looks.ended()) continue;
      clearTimeout(decision);
      announced.delete(look);
    }
  }

  function decide(look: number): void {
    forgetSeen();
    const waiting = announced.get(look);
    announced.delete(look);
    if (waiting !== undefined) passOn(waiting.jobs, waiting.passes + 1);
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
      forgetSeen();
      for (const { decision } of announced.values()) clearTimeout(decision);
      for (const { timer } of soon.values()) clearTimeout(timer);
      const left = [...announced.values(), ...soon.values()].flatMap(({ jobs }) => jobs);
      announced.clear();
      soon.clear();
      return left;
    },
  };
}

function keep(kept: DeliveryJob[], jobs: readonly DeliveryJob[]): void {
  kept.push(...jobs.slice(0, MAX_KEPT_JOBS - kept.length));
}
