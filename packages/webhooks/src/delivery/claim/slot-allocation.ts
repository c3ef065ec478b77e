import type { WaitingWebhook } from '../../storage/delivery-requests.ts';

/** How many deliveries each webhook may get of a claim. */
export interface SlotLimits {
  /**
   * 0–1,000: how many deliveries of one webhook this runner may have in flight, where
   * `webhookLimits` names no other number.
   */
  readonly maxPerWebhook: number;
  /** Webhooks with another limit than `maxPerWebhook`, by webhook id. Default: none. */
  readonly webhookLimits?: ReadonlyMap<number, number>;
  /**
   * How many of this runner's slots each webhook occupies, by webhook id. An attempt whose result
   * is being written occupies none any more, although its claim is still open.
   */
  readonly inFlight: ReadonlyMap<number, number>;
  /**
   * Webhooks that are slow or do not answer, in the order in which they are served: together they
   * get no more than `suspectSlots`. Default: none.
   */
  readonly suspects?: ReadonlySet<number>;
  /** 0–1,000. Default: unlimited. */
  readonly suspectSlots?: number;
}

/**
 * Divides a runner's free slots among webhooks.
 *
 * Slots are given out one at a time, in rounds. The first round is for webhooks with nothing in
 * flight, the others for every webhook that is not saturated. Suspects come first in each round, in
 * the order of `limits.suspects`.
 *
 * @param waiting each webhook once, in the order in which they are served
 * @param free slots to give out, 0–1,000
 * @returns how many deliveries each webhook gets, at least 1; the others are left out
 */
export function allocateSlots(
  waiting: readonly WaitingWebhook[],
  free: number,
  limits: SlotLimits,
): ReadonlyMap<number, number> {
  const ranks = new Map([...(limits.suspects ?? [])].map((webhookId, rank) => [webhookId, rank]));
  const rankOf = ({ webhookId }: WaitingWebhook) => ranks.get(webhookId) ?? Number.MAX_SAFE_INTEGER;
  const slots = new Map<number, number>();
  let left = free;
  let leftForSuspects = limits.suspectSlots ?? Number.POSITIVE_INFINITY;

  function giveOneEach(webhooks: readonly WaitingWebhook[]): WaitingWebhook[] {
    return webhooks.filter(({ webhookId, due }) => {
      const given = slots.get(webhookId) ?? 0;
      const isSuspect = ranks.has(webhookId);
      if (left <= 0 || (isSuspect && leftForSuspects <= 0)) return false;
      if (given >= Math.min(due, freeCapacity(webhookId, limits))) return false;
      slots.set(webhookId, given + 1);
      left -= 1;
      if (isSuspect) leftForSuspects -= 1;
      return true;
    });
  }

  const inOrder = [...waiting].sort((a, b) => rankOf(a) - rankOf(b));
  giveOneEach(inOrder.filter(({ webhookId }) => hasNothingInFlight(webhookId, limits)));
  let unsaturated = inOrder;
  while (unsaturated.length > 0) unsaturated = giveOneEach(unsaturated);
  return slots;
}

/**
 * The webhook after which the next scan begins: the last one in the scan that got a slot. Suspects
 * are in no scan.
 */
export function lastServed(
  waiting: readonly WaitingWebhook[],
  slots: ReadonlyMap<number, number>,
  { suspects }: Pick<SlotLimits, 'suspects'>,
): number | undefined {
  return waiting.findLast(({ webhookId }) => slots.has(webhookId) && !suspects?.has(webhookId))?.webhookId;
}

/** Whether the runner has nothing of this webhook in flight. */
export function hasNothingInFlight(webhookId: number, { inFlight }: Pick<SlotLimits, 'inFlight'>): boolean {
  return (inFlight.get(webhookId) ?? 0) === 0;
}

/**
 * Whether no more deliveries of this webhook may start, by its own limit or by the one that
 * suspects share.
 */
export function isSaturated(webhookId: number, limits: SlotLimits): boolean {
  if (limits.suspects?.has(webhookId) && (limits.suspectSlots ?? 1) <= 0) return true;
  return freeCapacity(webhookId, limits) === 0;
}

/** The limits once deliveries of these webhooks are claimed: a webhook is named once for each. */
export function withClaimed(limits: SlotLimits, webhookIds: readonly number[]): SlotLimits {
  const inFlight = new Map(limits.inFlight);
  for (const webhookId of webhookIds) inFlight.set(webhookId, (inFlight.get(webhookId) ?? 0) + 1);
  const ofSuspects = webhookIds.filter((webhookId) => limits.suspects?.has(webhookId)).length;
  const { suspectSlots = Number.POSITIVE_INFINITY } = limits;
  return { ...limits, inFlight, suspectSlots: suspectSlots - ofSuspects };
}

function freeCapacity(webhookId: number, { maxPerWebhook, webhookLimits, inFlight }: SlotLimits): number {
  return Math.max((webhookLimits?.get(webhookId) ?? maxPerWebhook) - (inFlight.get(webhookId) ?? 0), 0);
}
