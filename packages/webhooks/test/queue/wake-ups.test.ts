import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createWakeUps, type WakeUp, type WakeUps } from '../../src/queue/wake-ups.ts';

const job = (n: number, delayMs = 0) => ({ deliveryId: n.toString(16).padStart(32, '0'), delayMs });
const jobs = (count: number, delayMs = 0) => Array.from({ length: count }, (_, n) => job(n, delayMs));
const never = () => new Promise<void>(() => {});

describe('the wake-ups of a process', () => {
  let sent: WakeUp[];
  let asked: number;
  /** What the backend answers with. */
  let answer: () => Promise<void>;
  let wakeUps: WakeUps;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(Date.parse('2026-11-20T12:00:00.400Z'));
    sent = [];
    asked = 0;
    answer = async () => {};
    wakeUps = createWakeUps(async (given) => {
      sent.push(...given);
      asked += 1;
      await answer();
    });
  });

  it('files a wake-up with fifty ids every 100 ms, and ten at most for one moment', async () => {
    await wakeUps.file(jobs(120));
    expect(sent.map(({ data }) => data.deliveryIds.length)).toEqual([50]);
    await vi.advanceTimersByTimeAsync(99);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(901);
    expect(sent.map(({ data }) => data.deliveryIds.length)).toEqual([50, 50, 20]);
    expect(sent.flatMap(({ data }) => data.deliveryIds)).toEqual(
      jobs(120).map(({ deliveryId }) => deliveryId),
    );
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    sent.splice(0);
    await wakeUps.file(jobs(100_000));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(10);
  });

  it('files ten wake-ups for a second to come, however often deliveries are due in it, and never early', async () => {
    for (let n = 0; n < 300; n += 1) {
      void wakeUps.file([job(n, 30_600 - 10 * n), job(n, 31_000 - 10 * n)]);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(sent).toHaveLength(20);
    const due = sent.map(({ key }) => key.replace(/-\d$/, ''));
    const seconds = [30, 31].map((seconds) => Date.parse('2026-11-20T12:00:01Z') / 1_000 + seconds);
    expect(new Set(due)).toEqual(new Set(seconds.map(String)));
    expect(sent[0]).toMatchObject({ delayMs: 30_600, data: { deliveryIds: [job(0).deliveryId] } });
  });

  it('gives each wake-up of a second its own key, however many seconds are to come', async () => {
    for (let n = 0; n < 10; n += 1) {
      void wakeUps.file(Array.from({ length: 10 }, (_, second) => job(second, 1_000 * (30 + second))));
      await vi.advanceTimersByTimeAsync(1);
      await vi.advanceTimersByTimeAsync(99);
    }
    const keys = sent.map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(90);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('files more wake-ups for a second to come where they come together', async () => {
    await wakeUps.file(jobs(120, 5_000));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.map(({ data }) => data.deliveryIds.length)).toEqual([50, 50, 20]);
    expect(sent.map(({ delayMs }) => delayMs)).toEqual([5_600, 5_500, 5_400]);
  });

  it('tells ten thousand seconds apart, and leaves later ones to the sweep', async () => {
    await wakeUps.file(Array.from({ length: 15_000 }, (_, n) => job(n, 1_000 * (n + 1))));
    expect(sent).toHaveLength(10_000);
  });

  it('rejects after 5 s where the backend does not answer, and asks it five times at most', async () => {
    answer = never;
    for (let n = 0; n < 10; n += 1) {
      const enqueued = expect(wakeUps.file([job(n)])).rejects.toThrow(
        'filing a wake-up took longer than 5000 ms',
      );
      await vi.advanceTimersByTimeAsync(5_000);
      await enqueued;
    }
    expect(asked).toBe(5);
  });

  it('files what a backend that was away did not take along with the next job', async () => {
    answer = () => Promise.reject(new Error('away'));
    const first = expect(wakeUps.file(jobs(60))).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(1_000);
    await first;
    expect(asked).toBe(1);
    answer = async () => {};
    await wakeUps.file([job(61)]);
    expect(sent.at(-1)?.data.deliveryIds).toHaveLength(11);
  });

  it('files nothing where there are no jobs', async () => {
    await wakeUps.file([]);
    expect(asked).toBe(0);
  });

  it('is idle once everything is filed', async () => {
    let isIdle = false;
    void wakeUps.file(jobs(120));
    void wakeUps.idle().then(() => {
      isIdle = true;
    });
    await vi.advanceTimersByTimeAsync(150);
    expect([asked, isIdle]).toEqual([2, false]);
    await vi.advanceTimersByTimeAsync(150);
    expect([asked, isIdle]).toEqual([3, true]);
  });

  it('gives a backend up after a minute without an answer, and asks it again', async () => {
    answer = never;
    for (let n = 0; n < 5; n += 1) {
      wakeUps.file([job(n)]).catch(() => {});
      await vi.advanceTimersByTimeAsync(5_000);
    }
    answer = async () => {};
    wakeUps.file([job(6)]).catch(() => {});
    // The first was asked 25 s ago.
    await vi.advanceTimersByTimeAsync(34_999);
    expect(asked).toBe(5);
    await vi.advanceTimersByTimeAsync(101);
    expect(asked).toBe(6);
    expect(sent.at(-1)?.data.deliveryIds).toContain(job(6).deliveryId);
  });
});
