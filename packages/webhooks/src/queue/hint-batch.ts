import { randomInt } from 'node:crypto';
import type { DeliveryJob } from './queue.ts';

/** A job of a shared engine: it stands for up to 50 deliveries, and wakes one worker. */
export interface SharedHint {
  /** Of hints with one key that wait at the same time, any one will do: each makes a worker look for all that is due. */
  readonly key: string;
  readonly deliveryIds: readonly string[];
  /** 0: at once. */
  readonly delayMs: number;
}

/** What is filed with a hint. */
export interface HintData {
  readonly deliveryIds: readonly string[];
}

/** Jobs of one moment as few hints. */
export interface HintBatch {
  add(job: DeliveryJob): void;
  /** The hints of everything added, with delays from now on. */
  hints(): readonly SharedHint[];
}

/**
 * The attempts at once of a worker with default settings: a hint for as many is neither too much for the worker
 * it wakes, nor does it wake a second one for nothing.
 */
const DELIVERIES_PER_HINT = 50;
/** Workers woken for one moment. Each looks until nothing is due; sweeps bring the others. */
const MAX_HINTS_PER_TIME = 10;
/** Later ones are left to the sweep. */
const MAX_TIMES = 1_000;
/** Jobs due within the same second are one moment; those due within the next second are told apart by 100 ms. */
const GRAIN_MS = 1_000;
const FINE_GRAIN_MS = 100;

/** @internal Bounded whatever is added: what exceeds a moment's hints is covered by them. */
export function createHintBatch(): HintBatch {
  /** The ids by the moment they are due, in ms since the epoch; 0: at once. */
  const moments = new Map<number, string[]>();

  return {
    add({ deliveryId, delayMs }) {
      const grain = delayMs < GRAIN_MS ? FINE_GRAIN_MS : GRAIN_MS;
      const moment = delayMs > 0 ? Math.ceil((Date.now() + delayMs) / grain) * grain : 0;
      const ids = moments.get(moment) ?? [];
      if (ids.length === DELIVERIES_PER_HINT * MAX_HINTS_PER_TIME) return;
      if (ids.length === 0 && moments.size === MAX_TIMES) return;
      ids.push(deliveryId);
      moments.set(moment, ids);
    },
    hints() {
      const now = Date.now();
      return [...moments].flatMap(([moment, ids]) =>
        hintsOf(moment, ids, moment && Math.max(moment - now, 1)),
      );
    },
  };
}

/** Hints from many processes get different keys by chance, so that more deliveries wake more workers, ten at most. */
function hintsOf(moment: number, ids: readonly string[], delayMs: number): SharedHint[] {
  const first = randomInt(MAX_HINTS_PER_TIME);
  return Array.from({ length: Math.ceil(ids.length / DELIVERIES_PER_HINT) }, (_, index) => ({
    key: `${moment === 0 ? 'now' : moment}-${(first + index) % MAX_HINTS_PER_TIME}`,
    deliveryIds: ids.slice(index * DELIVERIES_PER_HINT, (index + 1) * DELIVERIES_PER_HINT),
    delayMs,
  }));
}

/** The jobs of a hint that has come back. What else may be in an engine's queue stands for none. */
export function jobsOf(data: unknown): DeliveryJob[] {
  if (typeof data !== 'object' || data === null || !('deliveryIds' in data)) return [];
  const ids: readonly unknown[] = Array.isArray(data.deliveryIds) ? data.deliveryIds : [];
  return ids.flatMap((id) => (typeof id === 'string' ? { deliveryId: id, delayMs: 0 } : []));
}
