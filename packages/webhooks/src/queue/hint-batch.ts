import { randomInt } from 'node:crypto';
import type { DeliveryJob } from './queue.ts';

/** A job of a shared engine: it stands for up to 50 deliveries, and wakes one worker. */
export interface SharedHint {
  /** Of hints with one key that wait at the same time, any one will do: each makes a worker look for all that is due. */
  readonly key: string;
  readonly deliveryIds: readonly string[];
  /** 0: at once. */
  readonly delayMs: number;
  /** How many busy workers have taken it and passed it on. */
  readonly passes: number;
}

/** What is filed with a hint. */
export interface HintData {
  readonly deliveryIds: readonly string[];
  /** Left out: none. */
  readonly passes?: number;
}

/** The jobs of one moment, and how often they were passed on. */
interface Moment {
  readonly ids: string[];
  passes: number;
}

/** Jobs of one moment as few hints. */
export interface HintBatch {
  add(job: DeliveryJob, passes: number): void;
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
  /** By the moment they are due, in ms since the epoch; 0: at once. */
  const moments = new Map<number, Moment>();

  return {
    add({ deliveryId, delayMs }, passes) {
      const grain = delayMs < GRAIN_MS ? FINE_GRAIN_MS : GRAIN_MS;
      const time = delayMs > 0 ? Math.ceil((Date.now() + delayMs) / grain) * grain : 0;
      const moment = moments.get(time) ?? { ids: [], passes };
      if (moment.ids.length === DELIVERIES_PER_HINT * MAX_HINTS_PER_TIME) return;
      if (moment.ids.length === 0 && moments.size === MAX_TIMES) return;
      moment.ids.push(deliveryId);
      moment.passes = Math.max(moment.passes, passes);
      moments.set(time, moment);
    },
    hints() {
      const now = Date.now();
      return [...moments].flatMap(([time, moment]) => hintsOf(time, moment, time && Math.max(time - now, 1)));
    },
  };
}

/** Hints from many processes get different keys by chance, so that more deliveries wake more workers, ten at most. */
function hintsOf(time: number, { ids, passes }: Moment, delayMs: number): SharedHint[] {
  const first = randomInt(MAX_HINTS_PER_TIME);
  return Array.from({ length: Math.ceil(ids.length / DELIVERIES_PER_HINT) }, (_, index) => ({
    key: `${time === 0 ? 'now' : time}-${(first + index) % MAX_HINTS_PER_TIME}`,
    deliveryIds: ids.slice(index * DELIVERIES_PER_HINT, (index + 1) * DELIVERIES_PER_HINT),
    delayMs,
    passes,
  }));
}

export function hintData({ deliveryIds, passes }: SharedHint): HintData {
  return passes === 0 ? { deliveryIds } : { deliveryIds, passes };
}

/** The jobs of a hint that has come back. What else may be in an engine's queue stands for none. */
export function jobsOf(data: unknown): DeliveryJob[] {
  if (typeof data !== 'object' || data === null || !('deliveryIds' in data)) return [];
  const ids: readonly unknown[] = Array.isArray(data.deliveryIds) ? data.deliveryIds : [];
  return ids.flatMap((id) => (typeof id === 'string' ? { deliveryId: id, delayMs: 0 } : []));
}

/** How often a hint that has come back was passed on. */
export function passesOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('passes' in data)) return 0;
  return typeof data.passes === 'number' ? data.passes : 0;
}
