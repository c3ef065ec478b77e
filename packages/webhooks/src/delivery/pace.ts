import type { Clock } from '../clock.ts';
import type { WaitingWebhook } from '../storage/delivery-requests.ts';
import { CustomerTimes, giveInTurn } from './customer-turns.ts';
import type { AttemptEnd, PacedAttempt } from './paced-attempt.ts';
import { isOverShare, type Standing, type Taken, take } from './shares.ts';
import { msUntilToken, tokensIn, withoutToken } from './token-bucket.ts';
import { bySlotTime, decayed, type Tried, TriedWebhooks } from './tried-webhooks.ts';

/** An attempt that takes longer is slow, and leaves its slot: sooner if its webhook is unproven. */
const SLOW_MS = 1_000;
const UNPROVEN_SLOW_MS = 250;
const POOL_PLACES_PER_SLOT = 10;
/** The last fifth of the slots is for webhooks with no more slot time than this. */
const LITTLE_SLOT_TIME_MS = 500;

/** A claim under way. */
export interface PacedClaim {
  /** The most deliveries that it may lease: the slots that are promised to it. */
  readonly limit: number;
  /** How many it has chosen of each webhook; undefined before its choice. */
  chosen: ReadonlyMap<number, number> | undefined;
  /** Whether deliveries that may not be served now may have hidden others from its choice. */
  isBlind: boolean;
}

type Contender = Tried & WaitingWebhook & { readonly standing: Standing; given: number; tokens: number };

/**
 * Decides which webhooks are served next in this process:
 *
 * - A webhook begins with 2 attempts at once. A success doubles that, a timeout sets it to 1.
 * - Customers (the host is one) are served in turn, those first whose webhooks occupied slots for the
 *   least time in the last ten seconds; of theirs those with nothing in flight, then by slot time. The
 *   last fifth of the slots is for these, with little slot time, of customers below their part of all.
 * - A slow attempt leaves its slot for a place in the slow pool.
 * - Slow webhooks occupy at most a quarter of the slots, with unproven ones at most half. Unproven
 *   ones may have a quarter more, where slow attempts keep their slots.
 * - A webhook that pauses is left out, and begins again with 1 attempt. One with a limit by the minute
 *   is left out until it has a token.
 * - A webhook is proven if it has answered promptly since the oldest of the attempts began that are
 *   slow now: if many begin to hang at once, those that still answer stand out within seconds.
 *   Among unproven webhooks, the one that answered last comes first.
 */
export class Pace {
  readonly #slots: number;
  readonly #max: number;
  readonly #now: Clock;
  readonly #tried: TriedWebhooks;
  readonly #customers = new CustomerTimes();
  /** In slots and in the pool, the oldest first. */
  readonly #inFlight = new Set<PacedAttempt>();
  readonly #inSlots = new Set<PacedAttempt>();
  readonly #claims = new Set<PacedClaim>();
  /** What the last choice left behind, by what lets it begin. */
  #left = nothingLeft();
  #shortSince: number | undefined;

  /** @param options the clock counts milliseconds since any fixed time */
  constructor(options: {
    readonly slots: number;
    readonly maxPerWebhook: number;
    readonly monotonicClock: Clock;
  }) {
    this.#slots = options.slots;
    this.#max = Math.min(options.maxPerWebhook, options.slots);
    this.#tried = new TriedWebhooks(this.#max);
    this.#now = options.monotonicClock;
  }

  /** Slots that are neither occupied nor promised to a claim. */
  free(): number {
    const promised = [...this.#claims].flatMap(({ limit, chosen }) => [...(chosen?.values() ?? [limit])]);
    return promised.reduce((free, count) => free - count, this.#slots - this.#inSlots.size);
  }

  /** The limit of one webhook; undefined if nothing was sent to it lately. */
  limitOf(webhookId: number): { limit: number; max: number; isSlow: boolean } | undefined {
    const webhook = this.#tried.find(webhookId);
    return webhook && { limit: webhook.limit, max: this.#max, isSlow: webhook.isSlow };
  }

  /**
   * Since when there have been too few slots, or claims have failed; undefined if the last claim
   * left nothing behind but deliveries of saturated and slow webhooks.
   */
  shortSince(): number | undefined {
    return this.#shortSince;
  }

  /** Begins a claim, and promises all free slots to it. */
  claim(): PacedClaim {
    const claim: PacedClaim = { limit: this.free(), chosen: undefined, isBlind: false };
    this.#claims.add(claim);
    return claim;
  }

  /**
   * Chooses how many deliveries of each webhook the claim leases; webhooks without any are left
   * out. Among equals, the last one comes first. Called again, it chooses anew.
   */
  choose(claim: PacedClaim, waiting: readonly WaitingWebhook[]): ReadonlyMap<number, number> {
    const now = this.#now();
    this.#judgeUnderWay(now);
    claim.chosen = new Map();
    const taken = this.#takenShares(now);
    // Another process may have been told to wait.
    for (const { webhookId, isPaused, isResuming } of waiting) {
      if (isPaused || isResuming) this.#tried.restrict(webhookId);
    }
    const served = waiting.filter(({ isPaused }) => !isPaused).toReversed();
    const contenders = served.map((webhook) => this.#contenderOf(webhook, now));
    contenders.sort((a, b) => Number(a.inFlight > 0) - Number(b.inFlight > 0) || bySlotTime(a, b));
    // Another claim may have been promised meanwhile what an earlier choice left.
    const most = Math.min(claim.limit, this.free());
    const left = nothingLeft();
    const state = { used: this.#slots - this.free(), given: 0, isShort: false };
    const customers = this.#customers.among([...this.#inSlots, ...contenders], this.#slots, now);
    const mayHaveOne = (webhook: Contender): boolean => {
      const { standing, tenant, inFlight, slotTime } = webhook;
      const isOver = isOverShare(this.#slots, standing, taken);
      const isReserved = state.used >= this.#slots - Math.floor(this.#slots / 5);
      const hasLittle = inFlight === 0 && slotTime <= LITTLE_SLOT_TIME_MS && customers.isBelowShare(tenant);
      const isFull = state.given >= most || (isReserved && !hasLittle);
      if (webhook.tokens < 1) return this.#awaitToken(webhook, left, now);
      if (inFlight >= webhook.limit) left.saturated.add(webhook.webhookId);
      else if (isOver) left.unprovenSlot = true;
      else if (isFull) left.anySlot = true;
      else return true;
      if (standing !== 'slow' && inFlight < webhook.limit) state.isShort = true;
      return false;
    };
    const giveOne = (webhook: Contender): boolean => {
      if (webhook.given === webhook.due || !mayHaveOne(webhook)) return false;
      webhook.given += 1;
      webhook.inFlight += 1;
      webhook.tokens -= 1;
      state.given += 1;
      state.used += 1;
      take(taken, webhook.standing);
      customers.take(webhook.tenant);
      return true;
    };
    giveInTurn(contenders, customers, giveOne);
    // What may not be served now hides what may.
    claim.isBlind = state.given < most && waiting.some(({ due }) => due === Number.POSITIVE_INFINITY);
    this.#left = claim.isBlind ? { ...left, anySlot: true } : left;
    this.#shortSince = state.isShort ? (this.#shortSince ?? now) : undefined;
    const chosen = contenders.filter(({ given }) => given > 0);
    claim.chosen = new Map(chosen.map(({ webhookId, given }) => [webhookId, given]));
    return claim.chosen;
  }

  /** Ends the claim before its attempts begin. `leased` is undefined if it failed. */
  end(claim: PacedClaim, leased: number | undefined): void {
    this.#claims.delete(claim);
    if (leased === undefined || claim.chosen === undefined) this.#left = nothingLeft();
    if (leased === claim.limit) this.#left.anySlot = true;
    if (leased === undefined) this.#shortSince ??= this.#now();
    else if (claim.chosen === undefined) this.#shortSince = undefined;
  }

  /** Milliseconds until something may begin that the last choice left without a token. */
  tokenInMs(): number {
    return this.#left.tokenAt - this.#now();
  }

  /** Begins an attempt, in a slot, of a webhook with that limit. */
  begin(webhookId: number, maxPerMinute: number | null = null, tenant = ''): PacedAttempt {
    const since = this.#now();
    const webhook = this.#tried.get(webhookId, since);
    const slowAfterMs = this.#standingOf(webhook, since) === 'proven' ? SLOW_MS : UNPROVEN_SLOW_MS;
    webhook.inFlight += 1;
    webhook.bucket = withoutToken(webhook.bucket, maxPerMinute, since);
    this.#tried.begun(webhook, since);
    const attempt: PacedAttempt = { webhook, tenant, since, slowAfterMs, place: 'slot', isOverdue: false };
    this.#inFlight.add(attempt);
    this.#inSlots.add(attempt);
    return attempt;
  }

  /**
   * Moves the attempt to the slow pool, at once or when there is a place.
   *
   * @returns whether something that was left behind may begin now
   */
  outlast(attempt: PacedAttempt): boolean {
    if (attempt.place !== 'slot') return false;
    const isAwaited = this.#isAwaited(attempt);
    attempt.isOverdue = true;
    this.#fillPool();
    return isAwaited && attempt.place !== 'slot';
  }

  /** Notes how the attempt ended. Not called if nothing was sent. */
  answered({ webhook, since }: PacedAttempt, end: AttemptEnd): void {
    const now = this.#now();
    webhook.isSlow = end === 'unanswered' || end === 'timed-out' || now - since > SLOW_MS;
    if (!webhook.isSlow) webhook.provenAt = now;
    if (end === 'timed-out') webhook.limit = 1;
    if (end !== 'succeeded') return;
    webhook.limit = Math.min(webhook.limit * 2, this.#max);
    webhook.succeededAt = now;
  }

  /**
   * Notes that the recipient asked to wait, and returns whether the webhook does. It goes on, and
   * only the delivery waits, if that was put off often in a row (`isStubborn`), and another one has
   * succeeded since the recipient last asked.
   */
  deferred({ webhook }: PacedAttempt, isStubborn: boolean): boolean {
    const isAlone = isStubborn && webhook.succeededAt > webhook.deferredAt;
    webhook.deferredAt = this.#now();
    if (!isAlone) webhook.limit = 1;
    return !isAlone;
  }

  /** Frees the slot or the place, once. Returns the same as {@link outlast}. */
  release(attempt: PacedAttempt): boolean {
    if (attempt.place === 'released') return false;
    if (attempt.place === 'slot') this.#leaveSlot(attempt);
    attempt.place = 'released';
    this.#inFlight.delete(attempt);
    attempt.webhook.inFlight -= 1;
    this.#fillPool();
    return this.#isAwaited(attempt);
  }

  #standingOf(webhook: Tried, now: number): Standing {
    if (webhook.isSlow) return 'slow';
    const [oldest] = this.#inFlight;
    const slowSince = oldest && now - oldest.since > SLOW_MS ? oldest.since : Number.MIN_SAFE_INTEGER;
    return webhook.provenAt > slowSince ? 'proven' : 'unproven';
  }

  #contenderOf({ webhookId, tenant, due, isResuming }: WaitingWebhook, now: number): Contender {
    const known = this.#tried.get(webhookId, now);
    const tried = isResuming ? { ...known, limit: 1 } : known;
    const standing = this.#standingOf(tried, now);
    let promised = 0;
    for (const { chosen } of this.#claims) promised += chosen?.get(webhookId) ?? 0;
    const inFlight = tried.inFlight + promised;
    const tokens = tokensIn(tried.bucket, now) - promised;
    const slotTime = standing === 'unproven' ? 0 : decayed(tried, now);
    return { ...tried, tenant, due, standing, inFlight, slotTime, given: 0, tokens };
  }

  #awaitToken({ bucket, tokens }: Contender, left: ReturnType<typeof nothingLeft>, now: number) {
    if (bucket) left.tokenAt = Math.min(left.tokenAt, now + msUntilToken(bucket, tokens));
    return false;
  }

  /** How many slots slow and unproven webhooks occupy, those promised to them included. */
  #takenShares(now: number): Taken {
    const taken = { unproven: 0, slow: 0 };
    for (const { webhook } of this.#inSlots) take(taken, this.#standingOf(webhook, now));
    for (const { chosen = [] } of this.#claims) {
      for (const [id, by] of chosen) take(taken, this.#standingOf(this.#tried.get(id, now), now), by);
    }
    return taken;
  }

  /** A webhook is slow as soon as an attempt has taken that long, wherever it is. */
  #judgeUnderWay(now: number): void {
    for (const { webhook, since } of this.#inFlight) {
      if (now - since <= SLOW_MS) return;
      webhook.isSlow = true;
    }
  }

  /** Whether something that was left behind may begin once this attempt frees its slot or place. */
  #isAwaited({ webhook, slowAfterMs }: PacedAttempt): boolean {
    const { anySlot, unprovenSlot, saturated } = this.#left;
    if (anySlot || saturated.has(webhook.webhookId)) return true;
    // A webhook that its answer has proven had a slot of the unproven ones until now.
    const wasUnproven = slowAfterMs < SLOW_MS || this.#standingOf(webhook, this.#now()) !== 'proven';
    return unprovenSlot && wasUnproven;
  }

  #leaveSlot(attempt: PacedAttempt): void {
    const now = this.#now();
    const slotTime = decayed(attempt.webhook, now) + now - attempt.since;
    Object.assign(attempt.webhook, { slotTime, slotTimeAt: now });
    this.#customers.occupied(attempt.tenant, now - attempt.since, now);
    this.#inSlots.delete(attempt);
  }

  #fillPool(): void {
    for (const attempt of this.#inSlots) {
      if (this.#inFlight.size - this.#inSlots.size >= this.#slots * POOL_PLACES_PER_SLOT) return;
      if (!attempt.isOverdue) continue;
      this.#leaveSlot(attempt);
      attempt.place = 'pool';
    }
  }
}

function nothingLeft() {
  const tokenAt = Number.POSITIVE_INFINITY;
  return { anySlot: false, unprovenSlot: false, saturated: new Set<number>(), tokenAt };
}
