import type { Clock } from '../../clock.ts';

/** What a claim left behind, as far as it tells. */
export type Remainder =
  /** Fewer came than were asked for: nothing else was due. */
  | { readonly kind: 'none' }
  /** As many came as were asked for: there may be more. */
  | { readonly kind: 'more' }
  /** Fewer came than were asked for, but these webhooks have as many attempts under way as they may: so many in all. */
  | {
      readonly kind: 'held-back';
      readonly webhookIds: ReadonlySet<number>;
      readonly attempts: number;
      /** A further claim for them has failed: the next one waits until one of their slots comes free. */
      readonly hasFailed?: boolean;
    };

/** When to claim. */
export interface ClaimScheduler {
  /** Asks for a claim; resolves once one that began after the call has ended. */
  poll(): Promise<void>;
  /** Tells that an attempt of this webhook has ended and its slot is free. */
  released(webhookId: number): void;
  /** Whether a claim is under way, or will begin by itself. */
  isClaiming(): boolean;
  /** Prevents further claims and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Two claims for wake-ups begin at least this far apart, and a slot that comes free waits this long for others to join
 * it. Measured with a recipient that answers at once: 5 ms make claims of tens out of claims of one or two, and no
 * recipient notices.
 */
const GROUPING_MS = 5;

/** How much of what could start has come free when a claim waits no longer: from 0.6 to 0.9 it makes no difference. */
const ENOUGH = 0.7;
/**
 * Claims are grouped: a statement that claims forty deliveries costs hardly more than one that claims one. So a
 * busy engine claims when most of what it could start has come free, or a few milliseconds after the first; one that
 * has nothing to do claims at once when it is asked.
 *
 * A slot that comes free is no reason to claim where the last claim left nothing behind.
 */
export function createClaimScheduler(deps: {
  /** Claims at most that many. Never rejects. */
  readonly claim: (limit: number) => Promise<Remainder>;
  readonly free: () => number;
  /** How many attempts of these webhooks may begin now. */
  readonly capacityOf: (webhookIds: ReadonlySet<number>) => number;
  readonly concurrency: number;
  readonly monotonicClock: Clock;
}): ClaimScheduler {
  const { free, capacityOf, concurrency, monotonicClock } = deps;
  let asking: (() => void)[] = [];
  let remainder: Remainder = { kind: 'none' };
  /** Slots that have come free since the last claim, for which it left something behind. */
  let freed = 0;
  let enough = Number.POSITIVE_INFINITY;
  let lastClaimAt = Number.NEGATIVE_INFINITY;
  let claiming: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let isStopped = false;

  function consider(): void {
    if (isStopped || claiming !== undefined || turn !== undefined || free() === 0) return;
    if (freed >= enough) {
      // The results of one group are recorded together: their slots come free in this turn, and are filled at once.
      turn = setImmediate(begin);
    } else if (timer === undefined && freed > 0) {
      timer = setTimeout(begin, GROUPING_MS);
    } else if (timer === undefined && asking.length > 0) {
      const sinceLastMs = monotonicClock() - lastClaimAt;
      if (sinceLastMs >= GROUPING_MS) begin();
      else timer = setTimeout(begin, GROUPING_MS - sinceLastMs);
    }
  }

  function cancel(): void {
    clearTimeout(timer);
    clearImmediate(turn);
    timer = undefined;
    turn = undefined;
  }

  function begin(): void {
    cancel();
    if (!isStopped) claiming = run();
  }

  async function run(): Promise<void> {
    const answered = asking;
    asking = [];
    lastClaimAt = monotonicClock();
    remainder = await deps.claim(free());
    claiming = undefined;
    plan();
    for (const resolve of answered) resolve();
    consider();
  }

  /** What has come free while the claim was under way counts as well. */
  function plan(): void {
    enough = enoughAfter(remainder, concurrency);
    freed = 0;
    if (remainder.kind === 'more') freed = free();
    if (remainder.kind === 'held-back' && !remainder.hasFailed) freed = capacityOf(remainder.webhookIds);
  }

  return {
    poll() {
      if (isStopped) return Promise.resolve();
      return new Promise((resolve) => {
        asking.push(resolve);
        consider();
      });
    },
    released(webhookId) {
      if (concerns(remainder, webhookId)) freed += 1;
      consider();
    },
    isClaiming: () => claiming !== undefined || timer !== undefined || turn !== undefined,
    async stop() {
      isStopped = true;
      cancel();
      for (const resolve of asking.splice(0)) resolve();
      await claiming;
    },
  };
}

/** How many slots have to come free until the next claim waits no longer. */
function enoughAfter(remainder: Remainder, concurrency: number): number {
  const attempts = remainder.kind === 'held-back' ? Math.min(remainder.attempts, concurrency) : concurrency;
  return Math.max(1, Math.ceil(ENOUGH * attempts));
}

/** Whether a slot of that webhook is a reason to claim. */
function concerns(remainder: Remainder, webhookId: number): boolean {
  if (remainder.kind === 'held-back') return remainder.webhookIds.has(webhookId);
  return remainder.kind !== 'none';
}
