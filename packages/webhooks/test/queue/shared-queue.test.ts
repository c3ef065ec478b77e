import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hintData, jobsOf, type SharedHint } from '../../src/queue/hint-batch.ts';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { type SharedEngine, sharedQueue } from '../../src/queue/shared-queue.ts';

const job = (n: number, delayMs = 0) => ({ deliveryId: n.toString(16).padStart(32, '0'), delayMs });
const jobs = (count: number, delayMs = 0) => Array.from({ length: count }, (_, n) => job(n, delayMs));

/** An engine that keeps what it is sent, answers when told, and hands out hints when told. */
function createEngine() {
  const sent: SharedHint[][] = [];
  let answer: () => Promise<void> = async () => {};
  let onHint: (data: unknown) => Promise<void> = async () => {};
  let report: (error: unknown) => void = () => {};
  const engine: SharedEngine = {
    async send(hints) {
      sent.push([...hints]);
      await answer();
    },
    async receive(...callbacks) {
      [onHint, report] = callbacks;
    },
    async close() {},
  };
  return {
    engine,
    sent,
    hint: (data: unknown) => onHint(data),
    report: (error: unknown) => report(error),
    answerWith(next: () => Promise<void>): void {
      answer = next;
    },
  };
}

describe('a shared queue', () => {
  let shared: ReturnType<typeof createEngine>;
  let queue: DeliveryQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    shared = createEngine();
    queue = sharedQueue(shared.engine);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('files a job for fifty deliveries, with their ids, and no more than ten for one moment', async () => {
    await queue.enqueue(jobs(120));
    const [hints = []] = shared.sent;
    expect(hints.map(({ deliveryIds }) => deliveryIds.length)).toEqual([50, 50, 20]);
    expect(hints.flatMap(({ deliveryIds }) => deliveryIds)).toEqual(
      jobs(120).map(({ deliveryId }) => deliveryId),
    );
    expect(new Set(hints.map(({ key }) => key)).size).toBe(3);
    await queue.enqueue(jobs(100_000));
    expect(shared.sent[1]).toHaveLength(10);
  });

  it('files one job for deliveries due within the same second, and never early', async () => {
    vi.setSystemTime(Date.parse('2026-11-20T12:00:00.400Z'));
    await queue.enqueue([job(1, 30_100), job(2, 30_600), job(3, 31_000), job(4, 150)]);
    const [hints = []] = shared.sent;
    expect(hints.map(({ deliveryIds, delayMs }) => [deliveryIds.length, delayMs])).toEqual([
      [2, 30_600],
      [1, 31_600],
      [1, 200],
    ]);
  });

  it('remembers a thousand moments, and leaves later ones to the sweep', async () => {
    await queue.enqueue(Array.from({ length: 1_500 }, (_, n) => job(n, 1_000 * (n + 1))));
    expect(shared.sent[0]).toHaveLength(1_000);
  });

  it('files together what is enqueued while it is filing', async () => {
    let release = (): void => {};
    shared.answerWith(() => new Promise((resolve) => (release = resolve)));
    const first = queue.enqueue(jobs(1));
    await vi.advanceTimersByTimeAsync(0);
    const rest = Array.from({ length: 40 }, (_, n) => queue.enqueue([job(n)]));
    shared.answerWith(async () => {});
    release();
    await Promise.all([first, ...rest]);
    expect(shared.sent.map((hints) => hints.length)).toEqual([1, 1]);
  });

  it('files nothing for what it looks for itself within 100 ms', async () => {
    const look = vi.fn(async () => {});
    await queue.start(look);
    await queue.enqueue(jobs(3));
    await queue.enqueue(jobs(1, 400));
    expect(look).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(399);
    expect(look).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(200);
    expect(look).toHaveBeenCalledTimes(2);
    expect(shared.sent).toEqual([]);
  });

  it('tells the others of what it is too busy for, and of what came to it while it was', async () => {
    let release = (): void => {};
    await queue.start(() => new Promise((resolve) => (release = resolve)));
    await queue.enqueue([job(1)]);
    await vi.advanceTimersByTimeAsync(99);
    expect(shared.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shared.sent.flat()).toMatchObject([{ deliveryIds: [job(1).deliveryId], delayMs: 0 }]);

    void shared.hint({ deliveryIds: [job(2).deliveryId] });
    await vi.advanceTimersByTimeAsync(100);
    expect(shared.sent.flat()).toMatchObject([{}, { deliveryIds: [job(2).deliveryId], delayMs: 0 }]);
    const stopped = queue.stop();
    release();
    await stopped;
  });

  it('passes on the hint that it took while every slot was taken', async () => {
    let release = (): void => {};
    await queue.start(() => new Promise((resolve) => (release = resolve)));
    void shared.hint({ deliveryIds: [job(1).deliveryId] });
    await vi.advanceTimersByTimeAsync(99);
    expect(shared.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shared.sent.flat()).toMatchObject([{ deliveryIds: [job(1).deliveryId], delayMs: 0, passes: 1 }]);
    const stopped = queue.stop();
    release();
    await stopped;
  });

  it('passes a hint on from worker to worker twenty times, where looks are slow everywhere', async () => {
    await queue.start(() => new Promise((resolve) => setTimeout(resolve, 150)));
    void shared.hint({ deliveryIds: [job(1).deliveryId] });
    await vi.advanceTimersByTimeAsync(1_000);
    for (const [hint] of shared.sent) {
      if (hint !== undefined) void shared.hint(hintData(hint));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(shared.sent).toHaveLength(20);
  });

  it('passes nothing on while hints come one after the other and every look is quick', async () => {
    const look = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 40)));
    await queue.start(look);
    for (let n = 0; n < 50; n += 1) {
      void shared.hint({ deliveryIds: [job(n).deliveryId] });
      await queue.enqueue([job(n)]);
      await vi.advanceTimersByTimeAsync(7);
    }
    expect(look.mock.calls.length).toBeGreaterThan(5);
    expect(shared.sent).toEqual([]);
  });

  it('stops without a look that does not end, and lets go of the engine', async () => {
    const close = vi.spyOn(shared.engine, 'close');
    await queue.start(() => new Promise(() => {}));
    await queue.enqueue([job(1)]);
    const stopped = queue.stop();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    expect(close).toHaveBeenCalledOnce();
  });

  it('files at once what is due in a second or later: the process may be gone by then', async () => {
    await queue.start(async () => {});
    await queue.enqueue(jobs(1, 1_000));
    expect(shared.sent).toHaveLength(1);
  });

  it('rejects after 5 s where the engine does not answer, and stops asking after ten such sends', async () => {
    shared.answerWith(() => new Promise(() => {}));
    for (let n = 0; n < 10; n += 1) {
      const enqueued = expect(queue.enqueue(jobs(1))).rejects.toThrow('enqueueing took longer than 5000 ms');
      await vi.advanceTimersByTimeAsync(5_000);
      await enqueued;
    }
    await expect(queue.enqueue(jobs(1))).rejects.toThrow('does not answer');
    expect(shared.sent).toHaveLength(10);
  });

  it('reports a failure of the idle engine once a minute', async () => {
    const report = vi.fn();
    await queue.start(async () => {}, report);
    const away = new Error('away');
    for (let seconds = 0; seconds < 90; seconds += 2) {
      shared.report(away);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(report.mock.calls).toEqual([[away], [away]]);
  });

  it('goes on looking after a look that failed', async () => {
    const look = vi.fn(() => Promise.reject(new Error('unforeseen')));
    await queue.start(look);
    await queue.enqueue(jobs(1));
    await vi.advanceTimersByTimeAsync(1);
    await shared.hint(undefined);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it.each([[undefined], [null], ['text'], [{}], [{ deliveryIds: 'a' }], [{ deliveryIds: [1, null] }]])(
    'takes the data %j in the queue for no job',
    (data) => {
      expect(jobsOf(data)).toEqual([]);
    },
  );
});
