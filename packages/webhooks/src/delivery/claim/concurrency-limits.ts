import type { Clock } from '../../clock.ts';
import type { AttemptEnd } from './attempt-end.ts';
import { createRecentWebhooks } from './recent-webhooks.ts';
import type { SlotLimits } from './slot-allocation.ts';
import { FIRST_LIMIT, limitAfter } from './slow-start.ts';
import { SLOW_MS, type Slowness, slownessAfter } from './slowness.ts';
import { maxSlotsOfSuspects, slotsOfSuspects } from './suspect-slots.ts';

/** How many attempts at once each webhook may have in this process now, and which are suspects. */
export interface ConcurrencyLimits {
  /**
   * Tells that an attempt to this webhook begins.
   *
   * @returns tells how the attempt ended, undefined where nothing was sent; later calls do nothing
   */
  begin(webhookId: number): (end: AttemptEnd | undefined) => void;
  /** The limits of a claim. */
  slotLimits(inFlight: ReadonlyMap<number, number>): SlotLimits;
  /**
   * The limits of a claim that lets suspects have more than their half of the slots, once no other
   * webhook has anything due. Only suspects whose last attempt was answered get more. Undefined
   * where suspects do not occupy their half, or none may have more.
   */
  slotLimitsBeyondHalf(inFlight: ReadonlyMap<number, number>): SlotLimits | undefined;
  /** The limit of one webhook; undefined where nothing was sent to it lately. */
  limitOf(
    webhookId: number,
  ): { readonly limit: number; readonly max: number; readonly isSlow: boolean } | undefined;
}

/** The attempts to a webhook, as far as its next ones depend on them. */
interface AttemptHistory extends Slowness {
  readonly limit: number;
  /** Whether the last attempt was answered. */
  readonly isAnswered: boolean;
}

/**
 * Slow start and suspects, for one process. A suspect is a webhook whose last attempt timed out or
 * took longer than {@link SLOW_MS}, or that has an attempt under way for that long; see
 * {@link slownessAfter}. Suspects come in the order in which they were last served, the longest ago
 * first, also where nothing was sent.
 */
export function createConcurrencyLimits(options: {
  readonly concurrency: number;
  readonly maxPerWebhook: number;
  readonly monotonicClock: Clock;
}): ConcurrencyLimits {
  const { concurrency, maxPerWebhook, monotonicClock } = options;
  const firstLimit = Math.min(FIRST_LIMIT, maxPerWebhook);
  /** Webhooks that their last attempt makes suspects. */
  const suspects = createRecentWebhooks<AttemptHistory>();
  const others = createRecentWebhooks<AttemptHistory>();
  const underway = new Set<{ readonly webhookId: number; readonly since: number }>();

  function historyOf(webhookId: number): AttemptHistory | undefined {
    return suspects.get(webhookId) ?? others.get(webhookId);
  }

  function remember(webhookId: number, history: AttemptHistory): void {
    suspects.delete(webhookId);
    others.delete(webhookId);
    (history.isSuspect ? suspects : others).set(webhookId, history);
  }

  function record(webhookId: number, end: AttemptEnd, since: number): void {
    const now = monotonicClock();
    const before = historyOf(webhookId);
    const isSlow = end.isTimeout || now - since > SLOW_MS;
    remember(webhookId, {
      ...slownessAfter(before, isSlow, now),
      limit: limitAfter(before?.limit ?? firstLimit, end, maxPerWebhook),
      isAnswered: end.isAnswered,
    });
  }

  /** Suspects by their last attempt, and then webhooks with an attempt under way for long. */
  function allSuspects(): Set<number> {
    const before = monotonicClock() - SLOW_MS;
    const late = [...underway].filter(({ since }) => since < before);
    return new Set([...suspects.ids(), ...late.map(({ webhookId }) => webhookId)]);
  }

  function webhookLimits(): Map<number, number> {
    const limits = new Map<number, number>();
    for (const [webhookId, { limit }] of [...others.entries(), ...suspects.entries()]) {
      if (limit !== firstLimit) limits.set(webhookId, limit);
    }
    return limits;
  }

  return {
    begin(webhookId) {
      const attempt = { webhookId, since: monotonicClock() };
      underway.add(attempt);
      return (end) => {
        if (!underway.delete(attempt)) return;
        if (end !== undefined) return record(webhookId, end, attempt.since);
        // Nothing was sent, and the webhook was served: as a suspect it comes last now.
        const suspect = suspects.get(webhookId);
        if (suspect !== undefined) suspects.set(webhookId, suspect);
      };
    },
    slotLimits(inFlight) {
      const limits = { maxPerWebhook: firstLimit, webhookLimits: webhookLimits(), inFlight };
      if (concurrency === 1) return limits;
      const all = allSuspects();
      const suspectSlots = Math.max(slotsOfSuspects(concurrency) - sumOf(all, inFlight), 0);
      return { ...limits, suspects: all, suspectSlots };
    },
    slotLimitsBeyondHalf(inFlight) {
      if (concurrency === 1) return undefined;
      const all = allSuspects();
      const occupied = sumOf(all, inFlight);
      const suspectSlots = maxSlotsOfSuspects(concurrency) - occupied;
      if (occupied < slotsOfSuspects(concurrency) || suspectSlots <= 0) return undefined;
      const unanswered = [...all].filter((webhookId) => !historyOf(webhookId)?.isAnswered);
      if (unanswered.length === all.size) return undefined;
      const limits = webhookLimits();
      for (const webhookId of unanswered) limits.set(webhookId, 0);
      return { maxPerWebhook: firstLimit, webhookLimits: limits, inFlight, suspects: all, suspectSlots };
    },
    limitOf(webhookId) {
      const isSlow = allSuspects().has(webhookId);
      const limit = historyOf(webhookId)?.limit ?? (isSlow ? firstLimit : undefined);
      return limit === undefined ? undefined : { limit, max: maxPerWebhook, isSlow };
    },
  };
}

function sumOf(webhookIds: ReadonlySet<number>, inFlight: ReadonlyMap<number, number>): number {
  return [...webhookIds].reduce((sum, webhookId) => sum + (inFlight.get(webhookId) ?? 0), 0);
}
