import { createAttempt } from '../../src/delivery/attempt.ts';
import { createRecorder } from '../../src/delivery/attempt-recorder.ts';
import { createOutageDetector } from '../../src/delivery/outage-detector.ts';
import { createOutages, type Outages } from '../../src/delivery/outages.ts';
import { createRetrySchedule } from '../../src/delivery/retry-schedule.ts';
import { createRunner, type Runner } from '../../src/delivery/runner.ts';
import type { SendResult } from '../../src/egress/send-result.ts';
import { WebhookError } from '../../src/errors.ts';
import type { Notifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { ProgressTimers } from '../../src/progress-timers.ts';
import { createCounters } from '../../src/stats.ts';
import type { ObservedStorage } from './observed-storage.ts';
import { ReferenceLimits } from './reference-limits.ts';
import type { ReferenceOutages } from './reference-outages.ts';

/** What a recipient does with a request. */
export type Answer = 'success' | 'failure' | 'busy' | 'refused' | 'timeout' | 'blocked';

const RESULTS: Readonly<Record<Answer, SendResult>> = {
  success: { kind: 'response', statusCode: 204, body: '' },
  failure: { kind: 'response', statusCode: 500, body: 'no' },
  busy: { kind: 'response', statusCode: 429, body: '', retryAfter: '20' },
  refused: { kind: 'failure', code: 'connection_refused' },
  timeout: { kind: 'failure', code: 'timeout' },
  blocked: { kind: 'failure', code: 'blocked_address' },
};
const TIMEOUT_MS = 15_000;
/** Long beside the time that a sequence really takes, on the slowest of servers. */
const RETRY_DELAY_MS = 60_000;

/** A request that is under way. */
export interface OpenRequest {
  answer(answer: Answer): void;
}

/** How much one process may do at once. */
export interface WorkerSettings {
  readonly concurrency: number;
  readonly maxConcurrentPerWebhook: number;
}

/**
 * One process: the runner with everything that belongs to it, but that its requests are answered by
 * hand. Watches that what it starts keeps to the limits.
 */
export class Worker {
  readonly requests: OpenRequest[] = [];
  readonly #limits: ReferenceLimits;
  /**
   * Whether it was asked to poll since anything became due without its doing: from then on it goes
   * on by itself.
   */
  isInformed = false;
  /** Called when what waits behind a pause may go on: others notice at their next poll. */
  onResumed: () => void = () => {};
  /** Looks at the outages of webhooks. */
  readonly look: Outages['look'];
  readonly #runner: Runner;
  /** The webhooks of deliveries that are attempted, or whose result is being recorded. */
  readonly #unfinished = new Map<string, number>();

  constructor(
    storage: ObservedStorage,
    { concurrency, maxConcurrentPerWebhook }: WorkerSettings,
    time: { readonly now: () => number; readonly monotonic: () => number },
    violations: unknown[],
    outages: ReferenceOutages,
  ) {
    this.#limits = new ReferenceLimits({
      concurrency,
      maxPerWebhook: maxConcurrentPerWebhook,
      monotonic: time.monotonic,
    });
    const notifier: Notifier = {
      error(_source, error) {
        violations.push(error);
        return new WebhookError('internal_error', 'seen');
      },
      deliveryFailed() {},
      attempt() {},
      webhookDisabled() {},
      webhookFailing() {},
      isToldOfFailing: false,
      backlog() {},
      isToldOfBacklogs: false,
      lastError: () => null,
      failures: () => ({ count: 0, last: undefined }),
      lastFailureAt: () => undefined,
    };
    const retry = createRetrySchedule({ maxAttempts: 2, delaysMs: [RETRY_DELAY_MS] }, () => 0.5);
    const timers = mockedTimers(time.monotonic);
    const unheard = { logger: silentLogger, counters: createCounters(), announce() {} };
    const shared = { ...unheard, notifier, clock: time.now, concurrency, timers };
    const rules = { recoverAfterOutage: true, disableAfterFailingMs: 0 };
    this.look = createOutages({ ...shared, ...rules, storage: storage.forLooks(outages) }).look;
    const attempt = createAttempt({
      ...shared,
      egress: { send: () => this.#send() },
      retry,
      standardHeaders: false,
      userAgent: 'model',
      traceparent: () => undefined,
      disableOnGone: false,
    });
    const record = createRecorder({
      ...shared,
      storage: {
        recordAttempts: async (records) => {
          const receipts = await storage.record(records);
          if (records.some(({ resumed }) => resumed)) this.onResumed();
          return receipts;
        },
      },
      disable: async () => {},
    });
    this.#runner = createRunner({
      ...shared,
      storage: {
        claimDueDeliveries: (request) => {
          const check = this.#limits.allowed();
          // What is in flight already is not started once more.
          return storage.claim(this, request, (claims) =>
            check(claims.filter(({ deliveryId }) => !this.#unfinished.has(deliveryId))),
          );
        },
      },
      attempt: async (claimed) => {
        const end = this.#limits.begin(claimed.webhook.id);
        this.#unfinished.set(claimed.deliveryId, claimed.webhook.id);
        const result = await attempt(claimed);
        end(result.sent === null ? undefined : result.record);
        return result;
      },
      record: async (claimed, result) => {
        await record(claimed, result);
        this.#unfinished.delete(claimed.deliveryId);
      },
      outages: createOutageDetector(time.monotonic),
      maxConcurrentPerWebhook,
      maxAttempts: retry.maxAttempts,
      attemptTimeoutMs: TIMEOUT_MS,
      monotonicClock: time.monotonic,
    });
  }

  poll(): void {
    this.isInformed = true;
    void this.#runner.poll();
  }

  close(): Promise<void> {
    return this.#runner.close();
  }

  /** Whether every delivery of which there is an attempt under way waits for its recipient. */
  inFlight(): number {
    return this.#runner.inFlight();
  }

  #send(): Promise<SendResult> {
    return new Promise((resolve) => {
      const request = {
        answer: (answer: Answer) => {
          this.requests.splice(this.requests.indexOf(request), 1);
          resolve(RESULTS[answer]);
        },
      };
      this.requests.push(request);
    });
  }
}

/** The global timers, which the model mocks and moves. */
function mockedTimers(now: () => number): ProgressTimers {
  const { setTimeout, clearTimeout, setImmediate, clearImmediate } = globalThis;
  return { setTimeout, clearTimeout, setImmediate, clearImmediate, now };
}
