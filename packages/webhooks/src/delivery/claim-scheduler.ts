import { type ProgressTimers, progressTimers } from '../progress-timers.ts';

/** When to claim. */
export interface ClaimScheduler {
  /** Asks for a claim; resolves once one that began after the call has ended. */
  poll(): Promise<void>;
  /**
   * Tells that a slot may have come free.
   *
   * @param isAwaited whether something that the last claim left behind may begin now
   */
  released(isAwaited: boolean): void;
  /**
   * Whether a claim is under way, or will begin soon without another poll. A repetition does not
   * count: where it finds nothing, as long as a webhook pauses, it goes on.
   */
  isClaiming(): boolean;
  /** Prevents further claims and waits for those under way. */
  stop(): Promise<void>;
}

/**
 * Two claims that polls ask for begin at least this far apart, and a slot that comes free waits
 * this long for others to join it. Measured with a recipient that answers at once: 5 ms make claims
 * of tens out of claims of one or two, and no recipient notices.
 */
const GROUPING_MS = 5;
/** What waits for tokens is claimed no more often: a fast bucket then has several. */
const TOKENS_MS = 100;
/**
 * The part of the occupied slots that has to come free for a claim to begin at once: from 0.6 to
 * 0.9 it makes no difference.
 */
const FREED_PART = 0.7;
/** How often the wait after a lost race doubles: up to 640 ms. */
const MAX_DOUBLINGS = 7;
/** A second claim fills the slots that come free while the first one waits for its storage. */
const MAX_CLAIMS = 2;

/**
 * Groups claims: a statement that claims forty deliveries costs hardly more than one that claims
 * one. A busy engine claims when most of its slots have come free, or a few milliseconds after the
 * first one did. An idle engine claims at once when it is polled.
 *
 * A slot that comes free is no reason to claim if the last claim left nothing behind.
 */
export function createClaimScheduler(deps: {
  /**
   * Claims for all free slots, which are promised to it before it returns. Resolves with whether
   * attempts of all that it had chosen have begun. Never rejects.
   */
  readonly claim: () => Promise<boolean>;
  /** Slots that are neither occupied nor promised to a claim. */
  readonly free: () => number;
  readonly slots: number;
  /** Milliseconds until something has a token that the last claim left without. Default: never. */
  readonly tokenInMs?: () => number;
  /** Default: {@link progressTimers}. */
  readonly timers?: ProgressTimers;
}): ClaimScheduler {
  const { free, slots, timers = progressTimers, tokenInMs = () => Number.POSITIVE_INFINITY } = deps;
  /** Resolves the polls that no claim has begun for. */
  let pollers: (() => void)[] = [];
  /** Slots that have come free since the last claim began, and are awaited. */
  let freed = 0;
  /** How many of them let the next claim begin at once. */
  let threshold = 1;
  let lastClaimAt = Number.NEGATIVE_INFINITY;
  const underway = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const repetition = createRepetition(timers, begin);
  let immediate: NodeJS.Immediate | undefined;
  let isStopped = false;

  function consider(): void {
    if (isStopped || immediate !== undefined || underway.size === MAX_CLAIMS || free() <= 0) return;
    if (freed >= threshold) {
      // The results of one group are recorded together: one claim fills all the slots that they
      // free.
      immediate = timers.setImmediate(begin);
    } else if (timer === undefined && underway.size === 0) {
      const sinceLastMs = timers.now() - lastClaimAt;
      if (freed > 0) timer = timers.setTimeout(begin, GROUPING_MS);
      else if (pollers.length === 0) return;
      else if (sinceLastMs >= GROUPING_MS) begin();
      else timer = timers.setTimeout(begin, GROUPING_MS - sinceLastMs);
    }
  }

  function cancel(): void {
    timers.clearTimeout(timer);
    timers.clearImmediate(immediate);
    repetition.cancel();
    timer = undefined;
    immediate = undefined;
  }

  function begin(): void {
    cancel();
    if (isStopped || underway.size === MAX_CLAIMS || free() <= 0) return;
    const claim = run().finally(() => {
      underway.delete(claim);
      consider();
    });
    underway.add(claim);
  }

  async function run(): Promise<void> {
    const answered = pollers;
    pollers = [];
    lastClaimAt = timers.now();
    freed = 0;
    const hasAll = await deps.claim();
    threshold = Math.max(1, Math.ceil(FREED_PART * (slots - free())));
    if (!isStopped) repetition.claimed(hasAll, tokenInMs());
    for (const resolve of answered) resolve();
  }

  return {
    poll() {
      if (isStopped) return Promise.resolve();
      return new Promise((resolve) => {
        pollers.push(resolve);
        consider();
      });
    },
    released(isAwaited) {
      if (isAwaited) freed += 1;
      consider();
    },
    isClaiming: () => underway.size > 0 || timer !== undefined || immediate !== undefined,
    async stop() {
      isStopped = true;
      cancel();
      for (const resolve of pollers.splice(0)) resolve();
      await Promise.all(underway);
    },
  };
}

/**
 * Repeats a claim once what it left without a token has one, and one that got fewer deliveries than
 * it had chosen: it lost a race with another process, and no slot that comes free would tell. It
 * waits twice as long each time, because the deliveries may stay locked for long.
 */
function createRepetition(timers: ProgressTimers, claim: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let lostInARow = 0;

  function cancel(): void {
    timers.clearTimeout(timer);
    timer = undefined;
  }

  return {
    cancel,
    claimed(hasAll: boolean, tokenInMs: number): void {
      cancel();
      const doubled = GROUPING_MS * 2 ** Math.min(lostInARow, MAX_DOUBLINGS);
      lostInARow = hasAll ? 0 : lostInARow + 1;
      const ms = Math.min(hasAll ? Number.POSITIVE_INFINITY : doubled, Math.max(tokenInMs, TOKENS_MS));
      if (Number.isFinite(ms)) timer = timers.setTimeout(claim, ms);
    },
  };
}
