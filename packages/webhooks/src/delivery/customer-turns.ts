import { bySlotTime, decayed, type Tried } from './tried-webhooks.ts';

/** The slot time of a customer who has had no slot for so long is less than a microsecond. */
const REMEMBERED_MS = 300_000;

/** The customers who have something due or under way. */
export interface Customers {
  /** For how long a customer's webhooks have occupied slots lately, with those of now. */
  slotTimeOf(tenant: string): number;
  /** Whether a customer has fewer slots than each would have of all. */
  isBelowShare(tenant: string): boolean;
  /** The customer has got one more slot. */
  take(tenant: string): void;
}

/** For how long each customer's webhooks have occupied slots lately, together. */
export class CustomerTimes {
  /** The one whose last attempt left its slot longest ago comes first. */
  readonly #times = new Map<string, { readonly slotTime: number; readonly slotTimeAt: number }>();

  /**
   * The customers of a choice.
   *
   * @param all attempts that occupy slots, with the time since when, and webhooks that wait
   */
  among(
    all: Iterable<{ readonly tenant: string; readonly since?: number }>,
    slots: number,
    now: number,
  ): Customers {
    const present = new Map<string, { slots: number; ms: number }>();
    for (const { tenant, since } of all) {
      const customer = present.get(tenant) ?? { slots: 0, ms: this.#of(tenant, now) };
      present.set(tenant, customer);
      if (since === undefined) continue;
      customer.slots += 1;
      customer.ms += now - since;
    }
    return {
      slotTimeOf: (tenant) => present.get(tenant)?.ms ?? 0,
      isBelowShare: (tenant) => (present.get(tenant)?.slots ?? 0) < slots / present.size,
      take(tenant) {
        const customer = present.get(tenant);
        if (customer) customer.slots += 1;
      },
    };
  }

  #of(tenant: string, now: number): number {
    const time = this.#times.get(tenant);
    return time === undefined ? 0 : decayed(time, now);
  }

  /** An attempt for the customer has left its slot after so many milliseconds. */
  occupied(tenant: string, ms: number, now: number): void {
    const slotTime = this.#of(tenant, now) + ms;
    // A map keeps a key in its place: only one that was deleted moves to the end.
    this.#times.delete(tenant);
    this.#times.set(tenant, { slotTime, slotTimeAt: now });
    for (const [oldest, { slotTimeAt }] of this.#times) {
      if (now - slotTimeAt < REMEMBERED_MS) return;
      this.#times.delete(oldest);
    }
  }
}

/**
 * Gives slots to customers in turn, to those first whose webhooks have had the least slot time
 * together; and to each one's webhooks in turn. Those with their part of all slots get more once the
 * others want none: in turn by count alone, one whose attempts take long would have most slots.
 *
 * @param webhooks in the order in which each gets its first slot
 * @param giveOne whether the webhook got a slot: one that did not is not asked again
 */
export function giveInTurn<Webhook extends Tried & { readonly tenant: string }>(
  webhooks: readonly Webhook[],
  { slotTimeOf, isBelowShare }: Customers,
  giveOne: (webhook: Webhook) => boolean,
): void {
  const byTenant = new Map<string, Webhook[]>();
  for (const webhook of webhooks) {
    const others = byTenant.get(webhook.tenant);
    if (others) others.push(webhook);
    else byTenant.set(webhook.tenant, [webhook]);
  }
  const customers = Array.from(byTenant, ([tenant, own]) => ({
    tenant,
    slotTime: slotTimeOf(tenant),
    turns: turnsOf(own, giveOne),
  }));
  let round = customers.sort((a, b) => a.slotTime - b.slotTime);
  while (round.length > 0) {
    const below = round.filter(({ tenant }) => isBelowShare(tenant));
    const ended = (below.length > 0 ? below : round).filter(({ turns }) => turns.next().done === true);
    if (ended.length > 0) round = round.filter((one) => !ended.includes(one));
  }
}

/** Yields for each slot that one of a customer's webhooks has got. */
function* turnsOf<Webhook extends Tried>(
  webhooks: readonly Webhook[],
  giveOne: (webhook: Webhook) => boolean,
): Generator<undefined, void> {
  let round: readonly Webhook[] = webhooks;
  for (let isFirst = true; round.length > 0; isFirst = false) {
    const served: Webhook[] = [];
    for (const webhook of round) {
      if (!giveOne(webhook)) continue;
      served.push(webhook);
      yield;
    }
    round = isFirst ? served.sort(bySlotTime) : served;
  }
}
