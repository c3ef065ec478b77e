import { coalesced } from './coalesced.ts';
import { alreadyStarted, type DeliveryQueue } from './queue.ts';
import { createWakeUps, type WakeUp } from './wake-ups.ts';
import { withTimeout } from './with-timeout.ts';

/** The job system behind a queue that several processes share, as its adapter provides it. */
export interface QueueBackend {
  /** Rejects when the backend does not take the wake-ups; need not time out by itself. */
  send(wakeUps: readonly WakeUp[]): Promise<void>;
  /**
   * Begins to take one wake-up at a time, and the next only after `onWakeUp` has resolved. Rejects,
   * and receives nothing, when the backend is away. A connection that is lost later is passed to
   * `report` and reopened.
   */
  receive(onWakeUp: () => Promise<void>, report: (error: unknown) => void): Promise<void>;
  /** Ends receiving and releases what the adapter opened, within a few seconds. */
  close(): Promise<void>;
}

/** A storage that hangs does not keep the backend's connections open. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * A queue on a shared backend. A worker polls at once for what it enqueues itself; the other
 * workers get wake-ups. A busy one takes a single wake-up, and no other until it has polled.
 *
 * @internal
 */
export function sharedQueue(backend: QueueBackend): DeliveryQueue {
  const wakeUps = createWakeUps((filed) => backend.send(filed));
  let phase: 'idle' | 'started' | 'stopped' = 'idle';
  let poll: (() => Promise<void>) | undefined;
  let stopping: Promise<void> | undefined;

  // A poll reports its own failures; it must not prevent the next one.
  const pollSoon = coalesced(async () => poll?.().catch(() => undefined));

  async function stop(): Promise<void> {
    phase = 'stopped';
    poll = undefined;
    const ended = Promise.all([wakeUps.idle(), pollSoon.idle()]);
    await withTimeout(STOP_TIMEOUT_MS, 'stopping', ended).catch(() => undefined);
    // An error of the backend's end helps no caller.
    await backend.close().catch(() => undefined);
  }

  return {
    async enqueue(jobs) {
      if (phase === 'stopped') return;
      if (jobs.some(({ delayMs }) => delayMs <= 0)) void pollSoon();
      await wakeUps.file(jobs);
    },
    async start(workersPoll, report) {
      if (phase !== 'idle') throw alreadyStarted();
      phase = 'started';
      poll = workersPoll;
      try {
        await backend.receive(pollSoon, (error) => phase === 'started' && report?.(error));
      } catch (error) {
        poll = undefined;
        if (phase === 'started') phase = 'idle';
        throw error;
      }
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
