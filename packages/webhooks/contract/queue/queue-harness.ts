import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { lackOf } from '../../../toolkit/src/service-interface.ts';
import { DELIVERY_QUEUE, type DeliveryJob, type DeliveryQueue } from '../../src/queue/queue.ts';

/** One queue, on a backend without jobs, for one case. */
export interface QueueUnderTest {
  readonly queue: DeliveryQueue;
  /** Creates the queue of a further process on the same backend. Called any number of times. */
  secondProcess?(): DeliveryQueue | Promise<DeliveryQueue>;
  /** Makes the backend unreachable for every queue of this case, permanently. */
  cutOff?(): Promise<void>;
  /**
   * Releases the resources of the case, after every queue was stopped. Called once, also after a
   * failure.
   */
  close(): Promise<void>;
}

/** One promise of the interface, as a program. */
export interface QueueCase {
  readonly name: string;
  /** What the queue has to offer for the case; without it the case is left out. */
  readonly needs?: 'secondProcess' | 'keptJobs' | 'outages';
  /** Which method must do what, shown if the case fails. */
  readonly hint: string;
  run(harness: QueueHarness): Promise<void>;
}

const POLL_MS = 10;
/** Timers round to whole milliseconds, backends to their own unit. */
const CLOCK_TOLERANCE_MS = 5;

/** The steps that cases share. */
export class QueueHarness {
  readonly queue: DeliveryQueue;
  readonly underTest: QueueUnderTest;
  readonly #latencyMs: number;
  readonly #timeoutMs: number;
  readonly #queues: DeliveryQueue[];
  readonly #workers: QueueWorker[] = [];
  #lastId = 0;

  /** @throws AssertionError listing the methods that the queue lacks */
  constructor(
    underTest: QueueUnderTest,
    { latencyMs, timeoutMs }: { readonly latencyMs: number; readonly timeoutMs: number },
  ) {
    this.queue = complete('queue', underTest.queue);
    this.underTest = underTest;
    this.#latencyMs = latencyMs;
    this.#timeoutMs = timeoutMs;
    this.#queues = [underTest.queue];
  }

  /** The queue of a further process. */
  async secondProcess(): Promise<DeliveryQueue> {
    assert.ok(this.underTest.secondProcess, 'hasSecondProcess is set, and no secondProcess is given');
    const queue = complete('secondProcess()', await this.underTest.secondProcess());
    this.#queues.push(queue);
    return queue;
  }

  async cutOff(): Promise<void> {
    assert.ok(this.underTest.cutOff, 'hasOutages is set, and no cutOff is given');
    await this.underTest.cutOff();
  }

  /** Jobs that are due after these delays, one for each. */
  jobs(...delays: readonly number[]): DeliveryJob[] {
    return delays.map((delayMs) => {
      this.#lastId += 1;
      return { deliveryId: this.#lastId.toString(16).padStart(32, '0'), delayMs };
    });
  }

  /** Enqueues jobs that the queue must take. */
  async enqueue(jobs: readonly DeliveryJob[], queue: DeliveryQueue = this.queue): Promise<void> {
    await this.inTime(queue.enqueue(jobs), 'enqueue() resolves, without waiting for a poll');
  }

  async startWorker(queue: DeliveryQueue = this.queue): Promise<QueueWorker> {
    const worker = new QueueWorker();
    this.#workers.push(worker);
    await this.inTime(queue.start(worker.poll), 'start() resolves');
    return worker;
  }

  /** Waits until the condition is true, as it must become. */
  async until(condition: () => boolean, promise: string): Promise<void> {
    const deadline = performance.now() + this.#timeoutMs;
    while (!condition()) {
      assert.ok(performance.now() < deadline, `within ${this.#timeoutMs} ms: ${promise}`);
      await sleep(POLL_MS);
    }
  }

  /** Waits for the promise, which must resolve in time. */
  async inTime(outcome: Promise<unknown>, promise: string): Promise<void> {
    const answer = await this.settled(outcome, promise);
    if (answer.status === 'rejected') assert.fail(`${promise}, and it rejected: ${String(answer.reason)}`);
  }

  /** Waits for the promise, which must reject in time, and returns the reason. */
  async rejection(outcome: Promise<unknown>, promise: string): Promise<unknown> {
    const answer = await this.settled(outcome, promise);
    if (answer.status === 'fulfilled') assert.fail(`${promise}, and it resolved`);
    return answer.reason;
  }

  /** Waits for the promise, which must settle in time. */
  async settled(outcome: Promise<unknown>, promise: string): Promise<PromiseSettledResult<unknown>> {
    const [answer] = await withDeadline(Promise.allSettled([outcome]), this.#timeoutMs, () =>
      assert.fail(`within ${this.#timeoutMs} ms: ${promise}`),
    );
    return answer;
  }

  /** Waits until the workers have not begun a poll for as long as one could take to arrive. */
  async quiet(): Promise<void> {
    const begun = () => this.#workers.reduce((sum, { polls }) => sum + polls.length, 0);
    const deadline = performance.now() + this.#timeoutMs;
    for (let before = -1; before < begun(); ) {
      assert.ok(performance.now() < deadline, 'polls come to an end');
      before = begun();
      await sleep(2 * this.#latencyMs);
    }
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) worker.unblock();
    try {
      await Promise.all(this.#queues.map((queue) => this.inTime(queue.stop(), 'stop() resolves')));
    } finally {
      await this.underTest.close();
    }
  }
}

function complete(name: string, queue: DeliveryQueue): DeliveryQueue {
  const lack = lackOf(name, queue, DELIVERY_QUEUE);
  if (lack !== undefined) assert.fail(lack);
  return queue;
}

/** A process's engine as its queue sees it: it polls, and it may be busy. */
export class QueueWorker {
  /** When each poll began, by the process's monotonic clock. */
  readonly polls: number[] = [];
  underWay = 0;
  mostAtOnce = 0;
  #blocked: Promise<void> | undefined;
  #release: () => void = () => {};

  readonly poll = async (): Promise<void> => {
    this.polls.push(performance.now());
    this.underWay += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay);
    // A poll takes time, so that calls that overlap are seen.
    await sleep(1);
    await this.#blocked;
    this.underWay -= 1;
  };

  /** Takes the process's free slots away: polls do not end from now on. */
  block(): void {
    this.#blocked = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  unblock(): void {
    this.#blocked = undefined;
    this.#release();
  }

  /** Whether a poll began at that time or later. */
  hasPolledSince(time: number): boolean {
    return this.polls.some((poll) => poll >= time - CLOCK_TOLERANCE_MS);
  }

  /** For a case whose first job is due at that time: a later poll may be for any of them. */
  assertNoPollBefore(time: number): void {
    const early = this.polls.filter((poll) => poll < time - CLOCK_TOLERANCE_MS);
    assert.deepEqual(early, [], `polls before ${time}, when the first job was due`);
  }
}
