import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { integerOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import type { Clock } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import type { Notifier } from '../hooks/notifier.ts';
import { progressTimers } from '../progress-timers.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Runner } from './runner.ts';

/** Options of `drain`. */
export interface DrainOptions {
  /** How long to wait, 1 ms – 1 h, default 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** Waits until an engine has nothing left to do now. */
export interface Drain {
  /**
   * Resolves once every accepted dispatch is written, and nothing is due or being attempted in this
   * process any more. The engine claims what is due at once, without waiting for a wake-up or a
   * sweep, and reopens at once what an outage has left (`recoverAfterOutage`).
   *
   * Retries that are due later do not count, nor do deliveries that another process leases. A test
   * with a clock of its own sets that forward and drains again.
   *
   * For tests, and before a planned end. It stops nothing: events that are dispatched meanwhile are
   * waited for as well.
   *
   * Rejects as soon as a claim fails. Also rejects when the storage does not accept a result, which
   * the engine offers again for 15 s: that delivery is due again once its lease ends, and is then
   * sent a second time.
   *
   * @throws TypeError for an option out of bounds
   * @throws WebhookError `drain_timeout`, `storage_unavailable`; `not_started` before `start()`,
   *   `closed` once the engine closes
   */
  drain(options?: DrainOptions): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 3_600_000;
/** Sources whose failure means that something was not done. */
const FATAL_SOURCES = ['claim', 'record'] as const;
/** A drain that waits for a token notices within this time that the engine closes. */
const MAX_TOKEN_WAIT_MS = 1_000;

/** @internal */
export function createDrain(deps: {
  readonly storage: Pick<WebhookStorage, 'dueSummary'>;
  readonly runner: Pick<Runner, 'poll' | 'isIdle' | 'attemptsEnded' | 'tokenInMs'>;
  readonly dispatcher: { waiting(): number; idle(): Promise<void> };
  /** Never rejects. */
  readonly followOutages: () => Promise<void>;
  readonly state: () => 'created' | 'running' | 'closed';
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'failures'>;
}): Drain {
  const { storage, runner, dispatcher, followOutages, state, clock, notifier } = deps;
  /** Of two drains at once, each would see the claims that the other asks for, and never an end. */
  let turn: Promise<unknown> = Promise.resolve();

  function requireRunning(): void {
    if (state() === 'closed') throw new WebhookError('closed', 'The webhook engine was closed');
    if (state() === 'created') {
      throw new WebhookError('not_started', 'The webhook engine delivers nothing before start()');
    }
  }

  /**
   * Returns a function that throws what has failed since: claims and results do not reject for
   * their callers.
   */
  function failuresSince(): () => void {
    const before = FATAL_SOURCES.map((source) => ({ source, count: notifier.failures(source).count }));
    return () => {
      for (const { source, count } of before) {
        const failures = notifier.failures(source);
        if (failures.count > count) throw failures.last;
      }
    };
  }

  /**
   * Each round waits for a claim, which the runner spaces; a claim that fails ends the last round.
   */
  async function untilDrained(deadline: AbortSignal): Promise<void> {
    const throwFailures = failuresSince();
    while (!deadline.aborted) {
      requireRunning();
      await dispatcher.idle();
      await runner.poll();
      await runner.attemptsEnded();
      throwFailures();
      if (!runner.isIdle()) continue;
      await followOutages();
      const { due } = await storage.dueSummary({ now: clock(), limit: 1, isFromStart: true });
      // Checked after the count: a delivery claimed after it is in flight now, or has ended.
      if (due === 0 && runner.isIdle() && dispatcher.waiting() === 0) return;
      const tokenInMs = runner.tokenInMs();
      if (tokenInMs === Number.POSITIVE_INFINITY) continue;
      await new Promise<void>((resolve) =>
        progressTimers.setTimeout(resolve, Math.min(tokenInMs, MAX_TOKEN_WAIT_MS)),
      );
    }
  }

  return {
    async drain(options = {}) {
      refuseUnknownOptions('drain', options, ['timeoutMs']);
      const timeoutMs = integerOption('timeoutMs', options.timeoutMs, {
        default: DEFAULT_TIMEOUT_MS,
        min: 1,
        max: MAX_TIMEOUT_MS,
      });
      const deadline = new AbortController();
      const drained = turn.then(() => untilDrained(deadline.signal));
      turn = drained.catch(() => undefined);
      await withDeadline(drained, timeoutMs, () => {
        deadline.abort();
        throw new WebhookError(
          'drain_timeout',
          `Deliveries were still due or under way after ${timeoutMs} ms`,
        );
      });
    },
  };
}
