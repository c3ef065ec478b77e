import type { Clock } from '../../clock.ts';
import type { SlotLimits } from '../../storage/slot-allocation.ts';

/** How a webhook's attempt ended, as far as its next ones depend on it. */
export interface AttemptEnd {
  readonly isSuccess: boolean;
  /** Whether the recipient gave any status. */
  readonly isAnswered: boolean;
  readonly isTimeout: boolean;
}

/** Attempts at once that a webhook begins with in a process. */
export const FIRST_LIMIT = 2;
/** An attempt that takes longer makes its webhook a suspect, also while it is under way. */
export const SLOW_MS = 2_000;
/** One that becomes a suspect again within this time remains one until it has been none for as long, whatever it answers. */
export const RELAPSE_MS = 600_000;
/** The most webhooks that are remembered, of suspects and of others each; one that is forgotten begins anew. */
const MAX_REMEMBERED = 1_000;

/** A webhook's limit after an attempt: it doubles with each success, and a timeout sets it to 1. */
export function limitAfter(limit: number, { isSuccess, isTimeout }: AttemptEnd, max: number): number {
  if (isTimeout) return 1;
  return isSuccess ? Math.min(limit * 2, max) : limit;
}

/** How many of the slots suspects may hold: half. One slot alone is not shared. */
export function slotsOfSuspects(concurrency: number): number {
  return Math.floor(concurrency / 2);
}

/** How many they may hold while nobody else has anything due: never the last fifth, which is one slot at least. */
export function slotsOfSlowSuspects(concurrency: number): number {
  return concurrency - Math.max(1, Math.ceil(concurrency / 5));
}

/** How many attempts at once each webhook may have in this process at this moment, and which are suspects. */
export interface WebhookLimits {
  /** Tells that an attempt to this webhook begins; the function answered tells how it ended, undefined where nothing was sent; later calls do nothing. */
  begin(webhookId: number): (end: AttemptEnd | undefined) => void;
  /** What a claim may hand out. */
  current(inFlight: ReadonlyMap<number, number>): SlotLimits;
  /**
   * What a claim may hand out to suspects beyond their half, once nobody else has anything due: to those alone whose last
   * attempt was answered. Undefined where suspects do not hold their half, or none may have more.
   */
  beyondHalf(inFlight: ReadonlyMap<number, number>): SlotLimits | undefined;
}

/**
 * Slow start and suspects, for one process. A suspect is a webhook whose last attempt timed out or took longer than
 * {@link SLOW_MS}, or that has an attempt under way for that long. One prompt answer clears it the first time. One that
 * answers for a while and then hangs again would fill its whole limit each time: it is not cleared so soon once more. Suspects come in the order in which they were last
 * served, the longest ago first, also where nothing was sent.
 */
export function createWebhookLimits(options: {
  readonly concurrency: number;
  readonly maxPerWebhook: number;
  readonly monotonicClock: Clock;
}): WebhookLimits {
  const { concurrency, maxPerWebhook, monotonicClock } = options;
  const first = Math.min(FIRST_LIMIT, maxPerWebhook);
  /** Webhooks that are no suspects by their last attempt. */
  const prompt = new Map<number, Remembered>();
  const suspects = new Map<number, Remembered>();
  const underway = new Set<{ readonly webhookId: number; readonly since: number }>();

  function limitOf(webhookId: number): number {
    return (prompt.get(webhookId) ?? suspects.get(webhookId))?.limit ?? first;
  }

  /** Webhooks with an attempt under way for long that their last attempt does not make suspects. */
  function hanging(): Set<number> {
    const before = monotonicClock() - SLOW_MS;
    const late = [...underway].filter(({ since }) => since < before).map(({ webhookId }) => webhookId);
    return new Set(late.filter((webhookId) => !suspects.has(webhookId)));
  }

  function heldBy(webhookIds: ReadonlySet<number>, inFlight: ReadonlyMap<number, number>): number {
    return [...webhookIds].reduce((sum, webhookId) => sum + (inFlight.get(webhookId) ?? 0), 0);
  }

  function knownLimits(): Map<number, number> {
    const limits = new Map<number, number>();
    for (const [webhookId, { limit }] of [...prompt, ...suspects]) {
      if (limit !== first) limits.set(webhookId, limit);
    }
    return limits;
  }

  return {
    begin(webhookId) {
      const attempt = { webhookId, since: monotonicClock() };
      underway.add(attempt);
      return (end) => {
        if (!underway.delete(attempt)) return;
        if (end === undefined) {
          // It has had its turn.
          const suspect = suspects.get(webhookId);
          if (suspect !== undefined && suspects.delete(webhookId)) suspects.set(webhookId, suspect);
          return;
        }
        const now = monotonicClock();
        const isSlow = end.isTimeout || now - attempt.since > SLOW_MS;
        const before = prompt.get(webhookId) ?? suspects.get(webhookId);
        const wasSlow = before !== undefined && now - before.slowAt < RELAPSE_MS;
        const hasRelapsed = wasSlow && (before.hasRelapsed || (isSlow && prompt.has(webhookId)));
        const after = {
          limit: limitAfter(limitOf(webhookId), end, maxPerWebhook),
          isAnswered: end.isAnswered,
          slowAt: isSlow ? now : (before?.slowAt ?? Number.NEGATIVE_INFINITY),
          hasRelapsed,
        };
        prompt.delete(webhookId);
        suspects.delete(webhookId);
        remember(isSlow || hasRelapsed ? suspects : prompt, webhookId, after);
      };
    },
    current(inFlight) {
      if (concurrency === 1) return { maxPerWebhook: first, limits: knownLimits(), inFlight };
      const all = new Set([...suspects.keys(), ...hanging()]);
      const suspectSlots = Math.max(slotsOfSuspects(concurrency) - heldBy(all, inFlight), 0);
      return { maxPerWebhook: first, limits: knownLimits(), inFlight, suspects: all, suspectSlots };
    },
    beyondHalf(inFlight) {
      if (concurrency === 1) return undefined;
      const late = hanging();
      const all = new Set([...suspects.keys(), ...late]);
      const held = heldBy(all, inFlight);
      const suspectSlots = slotsOfSlowSuspects(concurrency) - held;
      if (held < slotsOfSuspects(concurrency) || suspectSlots <= 0) return undefined;
      const hasAnswered = (webhookId: number) =>
        (suspects.get(webhookId) ?? prompt.get(webhookId))?.isAnswered ?? false;
      const unanswered = [...all].filter((webhookId) => !hasAnswered(webhookId));
      if (unanswered.length === all.size) return undefined;
      const limits = knownLimits();
      for (const webhookId of unanswered) limits.set(webhookId, 0);
      return { maxPerWebhook: first, limits, inFlight, suspects: all, suspectSlots };
    },
  };
}

/** What the last attempt to a webhook says of its next ones. */
interface Remembered {
  readonly limit: number;
  readonly isAnswered: boolean;
  /** When an attempt last timed out or took too long. */
  readonly slowAt: number;
  /** Whether that was after it had been cleared, and not long after. */
  readonly hasRelapsed: boolean;
}

/** As the last one; the first one makes room. */
function remember(values: Map<number, Remembered>, webhookId: number, value: Remembered): void {
  values.set(webhookId, value);
  const [oldest] = values.size > MAX_REMEMBERED ? values.keys() : [];
  if (oldest !== undefined) values.delete(oldest);
}
