import { downSinceOf, MIN_FAILURES, presentRun } from '../storage/failure-run.ts';
import type { KeptRun } from '../storage/failure-steps.ts';
import type { FailureRun } from '../storage/overview-record.ts';

const HOUR_MS = 3_600_000;

/** When the oldest failed delivery of an outage is tried again, counted from its first failure. */
const PROBES_AFTER_MS: readonly number[] = [1, 3, 9, 24, 48, 72].map((hours) => hours * HOUR_MS);

/** How long one process has for the deliveries of a recovery, before another one goes on. */
const LEASE_MS = 60_000;

/** An outage is recovered, and probed, for this long. */
export const MAX_OUTAGE_MS = 72 * HOUR_MS;

/** What to do about runs of failures. */
export interface OutageRules {
  readonly recoverAfterOutage: boolean;
  /** Whether the host has a hook that is to be told. */
  readonly isTold: boolean;
  /** 0: never. */
  readonly disableAfterFailingMs: number;
}

/**
 * The next state of a run of failures; the run itself if nothing is to be done, and null if
 * nothing is left of it. A state that differs is what one process does: its storage keeps it first.
 */
export function stepOutage(rules: OutageRules, kept: KeptRun): FailureRun | null {
  const { run, activation, lastSuccessAt, now } = kept;
  if (activation === null) return null;
  const present = presentRun(run, activation, lastSuccessAt);
  const isOngoing = present.failed > 0 || present.busySince !== '';
  const isOld = !isOngoing && present.recoverUntil < later(now, -MAX_OUTAGE_MS);
  const recovery = isOld && { recoverFrom: '', recoverUntil: '', leasedUntil: '' };
  const next = { ...present, ...ageing(rules, present, Date.parse(now)), ...recovery };
  // What is left to do may be for a process with other options.
  if (!isOngoing && next.told === 0 && next.recoverUntil === '') return null;
  const isRecovering = rules.recoverAfterOutage && next.recoverUntil !== '';
  const isFree = isRecovering && (next.leasedUntil < now || next.leasedUntil > later(now, LEASE_MS));
  const leased = isFree ? { ...next, leasedUntil: later(kept.now, LEASE_MS) } : next;
  return isSame(leased, run) ? run : leased;
}

/** What the age of a run calls for. */
function ageing(rules: OutageRules, run: FailureRun, now: number): Partial<FailureRun> {
  const { disableAfterFailingMs: limit, isTold } = rules;
  const downSince = downSinceOf(run, now);
  const isHalfOver = limit > 0 && (now - Date.parse(downSince)) * 2 >= limit;
  // One after the other: with few events, the third failure may come later than half of the time.
  const told = downSince === '' ? 0 : Math.max(isHalfOver && run.told > 0 ? 2 : 1, run.told);
  // However many were missed, one is made.
  const ageMs = run.failed < MIN_FAILURES ? 0 : now - Date.parse(run.since);
  const probes = PROBES_AFTER_MS.filter((afterMs) => afterMs <= ageMs).length;
  return {
    ...(isTold && { told }),
    ...(rules.recoverAfterOutage && { probes: Math.max(probes, run.probes) }),
  };
}

/** A stored timestamp so much later. */
export function later(timestamp: string, ms: number): string {
  return new Date(Date.parse(timestamp) + ms).toISOString();
}

function isSame(a: FailureRun, b: FailureRun): boolean {
  return Object.entries(a).every(([member, value]) => Reflect.get(b, member) === value);
}
