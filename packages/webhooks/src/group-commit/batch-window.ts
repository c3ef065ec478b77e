import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProgressTimers, progressTimers } from '../progress-timers.ts';

/**
 * Turns of the event loop that the batch window leaves to others: one in which they are woken, and
 * one in which they begin.
 */
const TURNS_FOR_OTHERS = 2;

/** How long a batch window stays open. */
export interface BatchWindowBounds {
  readonly items: number;
  readonly withinMs: number;
  /** Default: {@link progressTimers}. */
  readonly timers?: Pick<ProgressTimers, 'setTimeout' | 'clearTimeout'>;
}

/** Gathers items before they are written. */
export interface BatchWindow {
  /** Waits until enough items are added or the time is over. */
  wait(bounds: BatchWindowBounds): Promise<void>;
  /** Tells that an item has come. */
  added(): void;
}

/** @param waiting how many items have been gathered */
export function createBatchWindow(waiting: () => number): BatchWindow {
  let onAdded: (() => void) | undefined;
  return {
    added: () => onAdded?.(),
    async wait({ items, withinMs, timers = progressTimers }) {
      if (waiting() < items) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          timer = timers.setTimeout(resolve, withinMs);
          onAdded = () => {
            if (waiting() >= items) resolve();
          };
        });
        timers.clearTimeout(timer);
        onAdded = undefined;
      }
      for (let turns = 0; turns < TURNS_FOR_OTHERS; turns++) await nextTurn();
    },
  };
}
