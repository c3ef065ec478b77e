import type { TokenBucket } from './token-bucket.ts';

/** Attempts at once that a webhook begins with. */
const FIRST_LIMIT = 2;
/** Slot time decays by a factor of e in this time. */
const SLOT_TIME_DECAY_MS = 10_000;
/** A webhook without an attempt for this long is forgotten. */
const REMEMBERED_MS = 3_600_000;

/** What is known of a webhook that was never tried. */
const NEVER_TRIED = {
  inFlight: 0,
  bucket: undefined,
  provenAt: Number.NEGATIVE_INFINITY,
  isSlow: false,
  deferredAt: Number.NEGATIVE_INFINITY,
  succeededAt: Number.NEGATIVE_INFINITY,
  slotTime: 0,
};

/** A webhook that was tried lately. */
export interface Tried {
  readonly webhookId: number;
  limit: number;
  inFlight: number;
  /** Undefined without a limit by the minute, as far as is known. */
  bucket: TokenBucket | undefined;
  /** When it last answered promptly. */
  provenAt: number;
  /** Whether its last attempt was slow or unanswered. */
  isSlow: boolean;
  /** When its recipient last asked to wait. */
  deferredAt: number;
  /** When an attempt last succeeded. */
  succeededAt: number;
  /** The milliseconds for which it had occupied slots at `slotTimeAt`, decayed until then. */
  slotTime: number;
  slotTimeAt: number;
}

/**
 * The webhooks that were tried lately, in this process. They are forgotten by age alone: a bound on
 * their number would be defeated by more webhooks that come round in turn. A hundred thousand take
 * a few megabytes.
 */
export class TriedWebhooks {
  readonly #maxLimit: number;
  /** The one whose last attempt began longest ago comes first. */
  readonly #tried = new Map<number, Tried>();

  constructor(maxLimit: number) {
    this.#maxLimit = maxLimit;
  }

  find(webhookId: number): Tried | undefined {
    return this.#tried.get(webhookId);
  }

  /** What is known of the webhook, or a beginning, which is not kept. */
  get(webhookId: number, now: number): Tried {
    const limit = Math.min(FIRST_LIMIT, this.#maxLimit);
    return this.#tried.get(webhookId) ?? { ...NEVER_TRIED, webhookId, limit, slotTimeAt: now };
  }

  /** Lets the webhook begin again with one attempt at a time, if anything is known of it. */
  restrict(webhookId: number): void {
    const webhook = this.#tried.get(webhookId);
    if (webhook !== undefined) webhook.limit = 1;
  }

  /** Keeps the webhook as the one tried last, and forgets those that are too old. */
  begun(webhook: Tried, now: number): void {
    // A map keeps a key in its place: only one that was deleted moves to the end.
    this.#tried.delete(webhook.webhookId);
    this.#tried.set(webhook.webhookId, webhook);
    for (const [id, { inFlight, slotTimeAt }] of this.#tried) {
      if (inFlight > 0 || now - slotTimeAt < REMEMBERED_MS) return;
      this.#tried.delete(id);
    }
  }
}

/** A slot time as it is now. */
export function decayed(
  { slotTime, slotTimeAt }: { readonly slotTime: number; readonly slotTimeAt: number },
  now: number,
): number {
  return slotTime * Math.exp((slotTimeAt - now) / SLOT_TIME_DECAY_MS);
}

/** The order among equals: by slot time, then the one that answered last. */
export function bySlotTime(a: Tried, b: Tried): number {
  if (a.slotTime !== b.slotTime) return a.slotTime - b.slotTime;
  return a.provenAt === b.provenAt ? 0 : b.provenAt - a.provenAt;
}
