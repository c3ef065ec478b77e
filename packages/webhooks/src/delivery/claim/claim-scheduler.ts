import { type ProgressTimers, progressTimers } from '../../progress-timers.ts';

/** The deliveries that a claim left behind, as far as it can tell. */
export type Remainder =
  /** The claim returned fewer than it asked for, so nothing else was due; or it failed. */
  | { readonly kind: 'none' }
  /** The claim returned as many as it asked for: there may be more. */
  | { readonly kind: 'more' }
  /**
   * The claim returned fewer than it asked for, and these webhooks are saturated: they may have
   * more due.
   */
  | {
      readonly kind: 'held-back';
      readonly webhookIds: ReadonlySet<number>;
      /** How many attempts of these webhooks are in flight, all together. */
      readonly inFlight: number;
    };

/** When to claim. */
export interface ClaimScheduler {
  /** Asks for a claim; resolves once one that began after the call has ended. */
  poll(): Promise<void>;
  /** Tells that an attempt of this webhook has ended and its slot is free. */
  released(webhookId: number): void;
  /** Whether a claim is under way, or will begin without another poll. */
  isClaiming(): boolean;
  /** Prevents further claims and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Two claims that polls ask for begin at least this far apart, and a slot that comes free waits
 * this long for others to join it. Measured with a recipient that answers at once: 5 ms make claims
 * of tens out of claims of one or two, and no recipient notices.
 */
const GROUPING_MS = 5;

/**
 * The part of what could start that has to come free for a claim to begin at once: from 0.6 to 0.9
 * it makes no difference.
 */
const FREED_PART = 0.7;

/**
 * Groups claims: a statement that claims forty deliveries costs hardly more than one that claims
 * one. A busy engine claims when most of what it could start has come free, or a few milliseconds
 * after the first slot did. An idle engine claims at once when it is polled.
 *
 * A slot that comes free is no reason to claim where the last claim left nothing behind.
 */
export function createClaimScheduler(deps: {
  /** Claims at most `limit` deliveries. Never rejects. */
  readonly claim: (limit: number) => Promise<Remainder>;
  readonly free: () => number;
  /** How many attempts of these webhooks may begin now. */
  readonly capacityOf: (webhookIds: ReadonlySet<number>) => number;
  readonly concurrency: number;
  /** Default: {@link progressTimers}. */
  readonly timers?: ProgressTimers;
}): ClaimScheduler {
  const { free, capacityOf, concurrency, timers = progressTimers } = deps;
  /** Resolves the polls that no claim has begun for. */
  let pollers: (() => void)[] = [];
  let remainder: Remainder = { kind: 'none' };
  /** Slots that have come free since the last claim, and that what it left behind could fill. */
  let freed = 0;
  /** How many of them let the next claim begin at once. */
  let threshold = Number.POSITIVE_INFINITY;
  let lastClaimAt = Number.NEGATIVE_INFINITY;
  let claiming: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let isStopped = false;

  function consider(): void {
    if (isStopped || claiming !== undefined || immediate !== undefined || free() === 0) return;
    if (freed >= threshold) {
      // The results of one group are recorded together: one claim fills all the slots that they
      // free.
      immediate = timers.setImmediate(begin);
    } else if (timer === undefined && freed > 0) {
      timer = timers.setTimeout(begin, GROUPING_MS);
    } else if (timer === undefined && pollers.length > 0) {
      const sinceLastMs = timers.now() - lastClaimAt;
      if (sinceLastMs >= GROUPING_MS) begin();
      else timer = timers.setTimeout(begin, GROUPING_MS - sinceLastMs);
    }
  }

  function cancel(): void {
    timers.clearTimeout(timer);
    timers.clearImmediate(immediate);
    timer = undefined;
    immediate = undefined;
  }

  function begin(): void {
    cancel();
    if (!isStopped) claiming = run();
  }

  async function run(): Promise<void> {
    const answered = pollers;
    pollers = [];
    lastClaimAt = timers.now();
    remainder = await deps.claim(free());
    claiming = undefined;
    threshold = thresholdAfter(remainder, concurrency);
    freed = startableAfter();
    for (const resolve of answered) resolve();
    consider();
  }

  /** The slots that what is left could fill, those included that came free during the claim. */
  function startableAfter(): number {
    if (remainder.kind === 'none') return 0;
    if (remainder.kind === 'more') return free();
    return capacityOf(remainder.webhookIds);
  }

  return {
    poll() {
      if (isStopped) return Promise.resolve();
      return new Promise((resolve) => {
        pollers.push(resolve);
        consider();
      });
    },
    released(webhookId) {
      if (isReasonToClaim(remainder, webhookId)) freed += 1;
      consider();
    },
    isClaiming: () => claiming !== undefined || timer !== undefined || immediate !== undefined,
    async stop() {
      isStopped = true;
      cancel();
      for (const resolve of pollers.splice(0)) resolve();
      await claiming;
    },
  };
}

/** How many slots have to come free for the next claim to begin at once. */
function thresholdAfter(remainder: Remainder, concurrency: number): number {
  const startable = remainder.kind === 'held-back' ? Math.min(remainder.inFlight, concurrency) : concurrency;
  return Math.max(1, Math.ceil(FREED_PART * startable));
}

/** Whether a slot that this webhook frees is a reason to claim. */
function isReasonToClaim(remainder: Remainder, webhookId: number): boolean {
  if (remainder.kind === 'held-back') return remainder.webhookIds.has(webhookId);
  return remainder.kind !== 'none';
}
