import { createHintBatch, type HintBatch, jobsOf, passesOf, type SharedHint } from './hint-batch.ts';
import { createLocalHints } from './local-hints.ts';
import { createLooks } from './looks.ts';
import { alreadyStarted, type DeliveryJob, type DeliveryQueue } from './queue.ts';
import { within } from './within.ts';

/** What an adapter makes of a job engine that several processes share. */
export interface SharedEngine {
  /** Files the hints. Rejects when the engine does not take them; it need not give up by itself. */
  send(hints: readonly SharedHint[]): Promise<void>;
  /**
   * Begins to receive: takes one hint at a time, and the next only after `onHint` has resolved, which is given the
   * hint's data. Rejects, and receives nothing, when the engine is away. A connection that is lost later goes to
   * `report` and is taken up again.
   */
  receive(onHint: (data: unknown) => Promise<void>, report: (error: unknown) => void): Promise<void>;
  /** Ends receiving and releases what the adapter opened, a few seconds at most after the look under way. */
  close(): Promise<void>;
}

const SEND_TIMEOUT_MS = 5_000;
/** A look under way at the stop hangs where the storage does: the engine's connections are not left open for it. */
const LOOK_TIMEOUT_MS = 5_000;
/** Sends that took too long and may still go through; beyond these the engine is not asked again. */
const MAX_UNANSWERED_SENDS = 10;
/** An engine that is away fails every few seconds. */
const REPORT_INTERVAL_MS = 60_000;

/**
 * A queue on a shared engine, at the least cost for the engine:
 *
 * - A process that is a worker itself looks at once for what it enqueues, without asking the engine. It files hints
 *   only for what it has not looked for within 100 ms, because it is busy: those are for the others. A hint that it took
 *   is passed on likewise, through twenty busy workers at most.
 * - Jobs of one moment are filed as few hints, since each makes a worker look until nothing is due.
 * - One `send` runs at a time; what is enqueued meanwhile is the next. A send that takes longer than 5 s has failed.
 *
 * @internal
 */
export function sharedQueue(engine: SharedEngine): DeliveryQueue {
  const looks = createLooks();
  const local = createLocalHints({ looks, passOn: (jobs, passes) => void send(jobs, passes).catch(report) });
  let phase: 'idle' | 'starting' | 'started' | 'stopped' = 'idle';
  let onError: ((error: unknown) => void) | undefined;
  let lastReport = Number.NEGATIVE_INFINITY;
  let batch: HintBatch | undefined;
  let sending: Promise<void> = Promise.resolve();
  let nextSend: Promise<void> = sending;
  let unanswered = 0;
  let stopping: Promise<void> | undefined;

  function report(error: unknown): void {
    if (phase === 'stopped' || performance.now() - lastReport < REPORT_INTERVAL_MS) return;
    lastReport = performance.now();
    onError?.(error);
  }

  function send(jobs: readonly DeliveryJob[], passes = 0): Promise<void> {
    if (batch === undefined) {
      const filling = createHintBatch();
      batch = filling;
      nextSend = sending.then(() => {
        batch = undefined;
        return file(filling);
      });
      sending = nextSend.catch(() => undefined);
    }
    for (const job of jobs) batch.add(job, passes);
    return nextSend;
  }

  async function file(filled: HintBatch): Promise<void> {
    if (unanswered === MAX_UNANSWERED_SENDS) throw new Error('the job engine does not answer');
    unanswered += 1;
    const answer = engine.send(filled.hints()).finally(() => {
      unanswered -= 1;
    });
    await within(SEND_TIMEOUT_MS, 'enqueueing', answer);
  }

  function onHint(data: unknown): Promise<void> {
    // A process that is busy has taken it all the same: it takes no other, but this one is for the others.
    if (phase !== 'stopped') local.announce(jobsOf(data), passesOf(data));
    return looks.look();
  }

  async function stop(): Promise<void> {
    phase = 'stopped';
    looks.call(undefined);
    const left = local.close();
    if (left.length > 0) send(left).catch(() => undefined);
    await sending;
    await within(LOOK_TIMEOUT_MS, 'a look', looks.idle()).catch(() => undefined);
    // What the engine would say of its end is of no use to anybody.
    await engine.close().catch(() => undefined);
  }

  return {
    async enqueue(jobs) {
      if (phase === 'stopped' || jobs.length === 0) return;
      const rest = phase === 'started' ? local.take(jobs) : jobs;
      if (rest.length > 0) await send(rest);
    },
    async start(look, hostReport) {
      if (phase !== 'idle') throw alreadyStarted();
      phase = 'starting';
      onError = hostReport;
      looks.call(look);
      try {
        await engine.receive(onHint, report);
        if (phase === 'starting') phase = 'started';
      } catch (error) {
        looks.call(undefined);
        if (phase === 'starting') phase = 'idle';
        throw error;
      }
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
