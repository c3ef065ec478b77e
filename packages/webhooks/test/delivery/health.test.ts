import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHealthCheck } from '../../src/delivery/health.ts';
import type { DueSummary } from '../../src/storage/delivery-requests.ts';

describe('a health check', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('answers within 2 s although the storage never does, and does not ask it again meanwhile', async () => {
    let answer: (summary: DueSummary) => void = () => {};
    let asked = 0;
    const { health } = createHealthCheck({
      storage: {
        dueSummary() {
          asked += 1;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
      state: () => 'running',
      inFlight: () => 0,
      waitingDispatches: () => 0,
      maxWaitingDispatches: 20_000,
      notifier: { lastError: () => null },
      sweepIntervalMs: 5_000,
      clock: () => 0,
    });
    for (let round = 0; round < 3; round += 1) {
      const answers = Promise.all([health(), health()]);
      await vi.advanceTimersByTimeAsync(2_000);
      expect((await answers).map(({ status }) => status)).toEqual(['unavailable', 'unavailable']);
    }
    expect(asked).toBe(1);

    answer({ due: 0, oldestDueAt: null });
    await vi.advanceTimersByTimeAsync(0);
    const recovered = health();
    await vi.advanceTimersByTimeAsync(0);
    answer({ due: 2, oldestDueAt: '1970-01-01T00:00:00.000Z' });
    expect(await recovered).toMatchObject({ status: 'ok', backlog: 2, oldestDueMs: 0 });
    expect(asked).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is degraded when half of the dispatches that may wait are waiting', async () => {
    let waiting = 9_999;
    const { health } = createHealthCheck({
      storage: { dueSummary: async () => ({ due: 0, oldestDueAt: null }) },
      state: () => 'created',
      inFlight: () => 0,
      waitingDispatches: () => waiting,
      maxWaitingDispatches: 20_000,
      notifier: { lastError: () => null },
      sweepIntervalMs: 5_000,
      clock: () => 0,
    });
    expect(await health()).toMatchObject({ status: 'ok', waitingDispatches: 9_999 });
    waiting += 1;
    expect(await health()).toMatchObject({ status: 'degraded' });
  });
});
