import { once } from 'node:events';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { type QueueBackend, sharedQueue } from '../../src/queue/shared-queue.ts';
import type { WakeUp } from '../../src/queue/wake-ups.ts';

/** What a {@link memoryBackend} does right unless it is told otherwise. */
interface Soundness {
  readonly keepsJobs?: boolean;
  readonly keepsLaterJobs?: boolean;
  readonly waitsForPolls?: boolean;
  readonly firstComeFirstServed?: boolean;
  /** How many it takes in all. */
  readonly maxWakeUps?: number;
}

/** A backend in memory, which several queues of one process share as if they were processes. */
export interface MemoryBackend {
  createQueue(): DeliveryQueue;
  cutOff(): Promise<void>;
  isAway(): boolean;
}

export function memoryBackend(soundness: Soundness = {}): MemoryBackend {
  const { keepsJobs = true, keepsLaterJobs = true, waitsForPolls = true } = soundness;
  const { firstComeFirstServed = false, maxWakeUps = Number.POSITIVE_INFINITY } = soundness;
  const waiting: WakeUp[] = [];
  const arrivals = new EventTarget();
  let listeners = 0;
  let arrived = 0;
  let isAway = false;

  function arrive(wakeUp: WakeUp): void {
    if (listeners === 0 && !keepsJobs) return;
    arrived += 1;
    if (arrived > maxWakeUps) return;
    waiting.push(wakeUp);
    arrivals.dispatchEvent(new Event('arrival'));
  }

  function createBackend(): QueueBackend {
    const closing = new AbortController();
    const mayListen = !firstComeFirstServed;

    async function receive(onWakeUp: () => Promise<void>): Promise<void> {
      const isFirst = listeners === 0;
      listeners += 1;
      while (!closing.signal.aborted) {
        const wakeUp = isFirst || mayListen ? waiting.shift() : undefined;
        if (wakeUp === undefined) {
          await once(arrivals, 'arrival', { signal: closing.signal }).catch(() => undefined);
        } else {
          const polled = onWakeUp();
          if (waitsForPolls) await polled;
        }
      }
      listeners -= 1;
    }

    return {
      async send(wakeUps) {
        if (isAway) throw new Error('away');
        for (const wakeUp of wakeUps) {
          if (wakeUp.delayMs === 0) arrive(wakeUp);
          else {
            setTimeout(() => {
              if (keepsLaterJobs || !closing.signal.aborted) arrive(wakeUp);
            }, wakeUp.delayMs + 1);
          }
        }
      },
      async receive(onWakeUp) {
        if (isAway) throw new Error('away');
        void receive(onWakeUp);
      },
      async close() {
        closing.abort();
      },
    };
  }

  return {
    createQueue: () => sharedQueue(createBackend()),
    async cutOff() {
      isAway = true;
    },
    isAway: () => isAway,
  };
}
