import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { type QueueBackend, sharedQueue } from '../../src/queue/shared-queue.ts';
import type { WakeUp } from '../../src/queue/wake-ups.ts';

const job = (n: number, delayMs = 0) => ({ deliveryId: n.toString(16).padStart(32, '0'), delayMs });
const jobs = (count: number, delayMs = 0) => Array.from({ length: count }, (_, n) => job(n, delayMs));
const never = () => new Promise<void>(() => {});

/** A backend that keeps what it is sent, and that answers and wakes its worker when told. */
function createBackend() {
  const sent: WakeUp[] = [];
  let answer: () => Promise<void> = async () => {};
  let asked = 0;
  let onWakeUp: () => Promise<void> = async () => {};
  let report: (error: unknown) => void = () => {};
  const backend: QueueBackend = {
    async send(wakeUps) {
      sent.push(...wakeUps);
      asked += 1;
      await answer();
    },
    async receive(...callbacks) {
      await answer();
      [onWakeUp, report] = callbacks;
    },
    async close() {},
  };
  return {
    backend,
    sent,
    asked: () => asked,
    wakeUp: () => onWakeUp(),
    report: (error: unknown) => report(error),
    answerWith(next: () => Promise<void>): void {
      answer = next;
    },
  };
}

describe('a shared queue', () => {
  let shared: ReturnType<typeof createBackend>;
  let queue: DeliveryQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(Date.parse('2026-11-20T12:00:00.400Z'));
    shared = createBackend();
    queue = sharedQueue(shared.backend);
  });

  it('files ten wake-ups a second for a thousand dispatches a second, in a busy worker as well', async () => {
    await queue.start(never);
    for (let ms = 0; ms < 2_999; ms += 1) {
      void queue.enqueue([job(ms)]);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(shared.sent).toHaveLength(30);
    expect(shared.asked()).toBe(30);
    expect(new Set(shared.sent.map(({ key }) => key)).size).toBe(10);
  });

  it('polls at once for what a worker enqueues itself, and tells the others of it', async () => {
    const poll = vi.fn(async () => {});
    await queue.start(poll);
    void queue.enqueue([job(1)]);
    expect(poll).toHaveBeenCalledOnce();
    expect(shared.sent).toMatchObject([{ data: { deliveryIds: [job(1).deliveryId] }, delayMs: 0 }]);
    void queue.enqueue([job(2, 500)]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(poll).toHaveBeenCalledOnce();
    expect(shared.sent).toHaveLength(2);
  });

  it('takes no further wake-up until a busy worker has polled', async () => {
    let release = (): void => {};
    await queue.start(() => new Promise((resolve) => (release = resolve)));
    await queue.enqueue([job(1)]);
    let isTaken = false;
    void shared.wakeUp().then(() => {
      isTaken = true;
    });
    release();
    await vi.advanceTimersByTimeAsync(0);
    // The poll that began before the wake-up has ended; the one for it is under way.
    expect(isTaken).toBe(false);
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(isTaken).toBe(true);
  });

  it('files in stop what waits for its turn, and takes nothing more', async () => {
    let atClose: number | undefined;
    vi.spyOn(shared.backend, 'close').mockImplementation(async () => {
      atClose = shared.sent.length;
    });
    await queue.enqueue(jobs(500));
    const stopped = queue.stop();
    await queue.enqueue([job(501)]);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
    expect(atClose).toBe(10);
    expect(shared.sent.flatMap(({ data }) => data.deliveryIds)).toHaveLength(500);
  });

  it('stops without a poll that does not end and a backend that does not answer, and lets go of it', async () => {
    const close = vi.spyOn(shared.backend, 'close');
    await queue.start(never);
    shared.answerWith(never);
    queue.enqueue([job(1)]).catch(() => {});
    const stopped = queue.stop();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    expect(close).toHaveBeenCalledOnce();
  });

  it('rejects a start while the backend is away, polls for nothing, and starts at the next try', async () => {
    shared.answerWith(() => Promise.reject(new Error('away')));
    const poll = vi.fn(async () => {});
    await expect(queue.start(poll)).rejects.toThrow('away');
    shared.answerWith(async () => {});
    await queue.enqueue([job(1)]);
    expect(poll).not.toHaveBeenCalled();
    await queue.start(poll);
    await shared.wakeUp();
    expect(poll).toHaveBeenCalledOnce();
  });

  it('reports failures of the idle backend until it is stopped', async () => {
    const report = vi.fn();
    await queue.start(async () => {}, report);
    shared.report('away');
    void queue.stop();
    shared.report('closed');
    expect(report.mock.calls).toEqual([['away']]);
  });

  it('goes on polling after a poll that failed', async () => {
    const poll = vi.fn(() => Promise.reject(new Error('unforeseen')));
    await queue.start(poll);
    await queue.enqueue([job(1)]);
    await shared.wakeUp();
    expect(poll).toHaveBeenCalledTimes(2);
  });
});
