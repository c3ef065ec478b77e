import { once } from 'node:events';
import type { SharedHint } from '../../src/queue/hint-batch.ts';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { type SharedEngine, sharedQueue } from '../../src/queue/shared-queue.ts';

/** What a {@link memoryEngine} does right unless it is told otherwise. */
interface Soundness {
  readonly keepsJobs?: boolean;
  readonly keepsLaterJobs?: boolean;
  readonly waitsForLooks?: boolean;
  readonly firstComeFirstServed?: boolean;
  readonly passesOn?: boolean;
  readonly hintsAtOnce?: number;
}

/** A job engine in memory, which several queues of one process share as if they were processes. */
export interface MemoryEngine {
  createQueue(): DeliveryQueue;
  cutOff(): Promise<void>;
  isAway(): boolean;
}

export function memoryEngine(soundness: Soundness = {}): MemoryEngine {
  const { keepsJobs = true, keepsLaterJobs = true, waitsForLooks = true } = soundness;
  const { firstComeFirstServed = false, passesOn = true } = soundness;
  const { hintsAtOnce = Number.POSITIVE_INFINITY } = soundness;
  const waiting: SharedHint[] = [];
  const arrivals = new EventTarget();
  let listeners = 0;
  let isAway = false;

  function arrive(hint: SharedHint): void {
    if (listeners === 0 && !keepsJobs) return;
    waiting.push(hint);
    arrivals.dispatchEvent(new Event('arrival'));
  }

  function createEngine(): SharedEngine {
    const closing = new AbortController();
    const mayListen = !firstComeFirstServed;

    async function receive(onHint: (data: unknown) => Promise<void>): Promise<void> {
      const isFirst = listeners === 0;
      listeners += 1;
      while (!closing.signal.aborted) {
        const hint = isFirst || mayListen ? waiting.shift() : undefined;
        if (hint === undefined) {
          await once(arrivals, 'arrival', { signal: closing.signal }).catch(() => undefined);
        } else {
          const looked = onHint(passesOn ? hint : { deliveryIds: [] });
          if (waitsForLooks) await looked;
        }
      }
      listeners -= 1;
    }

    return {
      async send(hints) {
        if (isAway) throw new Error('away');
        for (const hint of hints.slice(0, hintsAtOnce)) {
          if (hint.delayMs === 0) arrive(hint);
          else {
            setTimeout(() => {
              if (keepsLaterJobs || !closing.signal.aborted) arrive(hint);
            }, hint.delayMs + 1);
          }
        }
      },
      async receive(onHint) {
        if (isAway) throw new Error('away');
        void receive(onHint);
      },
      async close() {
        closing.abort();
      },
    };
  }

  return {
    createQueue: () => sharedQueue(createEngine()),
    async cutOff() {
      isAway = true;
    },
    isAway: () => isAway,
  };
}
