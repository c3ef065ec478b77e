import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHealthCheck } from '../../src/delivery/health.ts';
import type { DueSummary } from '../../src/storage/delivery-requests.ts';

const NOTHING_DUE: DueSummary = { due: 0, oldestDueMs: null };
const START = Date.parse('2026-11-20T12:00:00.000Z');

type Dependencies = Parameters<typeof createHealthCheck>[0];

/** A running engine to which nothing has happened, but for what a test says. */
function healthOf(dependencies: Partial<Dependencies> = {}) {
  return createHealthCheck({
    storage: { dueSummary: async () => NOTHING_DUE },
    writes: { isFailing: () => false, longestUnderwayMs: () => 0, isClaimSlow: () => false },
    outages: { isOutage: () => false },
    state: () => 'running',
    inFlight: () => 0,
    recovering: () => 0,
    readBacklogs: async () => ({ largest: [], others: 0 }),
    shortSince: () => undefined,
    waitingDispatches: () => 0,
    isRefusing: () => true,
    maxWaitingDispatches: 20_000,
    notifier: { lastError: () => null, lastFailureAt: () => undefined },
    sweepIntervalMs: 5_000,
    clock: () => START,
    ...dependencies,
  });
}

describe('a health check', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('answers within 2 s although the storage never does, and does not ask it again meanwhile', async () => {
    let answer: (summary: DueSummary) => void = () => {};
    let asked = 0;
    const { health } = healthOf({
      storage: {
        dueSummary() {
          asked += 1;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
    });
    for (let round = 0; round < 3; round += 1) {
      const answers = Promise.all([health(), health()]);
      await vi.advanceTimersByTimeAsync(2_000);
      const expected = { status: 'unavailable', reasons: ['storage_unreachable'] };
      expect(await answers).toMatchObject([expected, expected]);
    }
    expect(asked).toBe(1);

    answer(NOTHING_DUE);
    await vi.advanceTimersByTimeAsync(0);
    const recovered = health();
    await vi.advanceTimersByTimeAsync(0);
    answer({ due: 2, oldestDueMs: 0 });
    expect(await recovered).toMatchObject({ status: 'ok', reasons: [], backlog: 2, oldestDueMs: 0 });
    expect(asked).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks again after 30 s, where a connection gives no answer any more and others do', async () => {
    let asked = 0;
    const { health } = healthOf({
      storage: { dueSummary: () => (++asked === 1 ? new Promise(() => {}) : Promise.resolve(NOTHING_DUE)) },
    });
    const answerAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      const answer = health();
      await vi.advanceTimersByTimeAsync(2_000);
      return (await answer).status;
    };
    expect([await answerAfter(0), await answerAfter(27_000)]).toEqual(['unavailable', 'unavailable']);
    expect([await answerAfter(1_000), await answerAfter(0)]).toEqual(['ok', 'ok']);
  });

  it('is degraded when a write waits for the storage for more than 10 s', async () => {
    let longest = 10_000;
    const { health } = healthOf({
      writes: { isFailing: () => false, longestUnderwayMs: () => longest, isClaimSlow: () => false },
    });
    expect(await health()).toMatchObject({ status: 'ok' });
    longest += 1;
    expect(await health()).toMatchObject({ status: 'degraded', reasons: ['storage_stalled'] });
  });

  it('is degraded when half of the dispatches that may wait are waiting', async () => {
    let waiting = 9_999;
    const { health } = healthOf({ waitingDispatches: () => waiting });
    expect(await health()).toMatchObject({ status: 'ok', waitingDispatches: 9_999 });
    waiting += 1;
    expect(await health()).toMatchObject({ status: 'degraded', reasons: ['dispatches_waiting'] });
  });

  it.each([
    [5_000, 30_000],
    [20_000, 40_000],
  ])(
    'is degraded when deliveries have waited for slots for longer than 30 s or two sweeps of %i ms',
    async (sweepIntervalMs, lateMs) => {
      const waits = async (dueMs: number, shortMs: number | undefined) => {
        const storage = { dueSummary: async () => ({ due: 5, oldestDueMs: dueMs }) };
        const shortSince = () => (shortMs === undefined ? undefined : -shortMs);
        const answer = await healthOf({
          storage,
          sweepIntervalMs,
          shortSince,
          monotonicClock: () => 0,
        }).health();
        expect(answer.oldestDueMs).toBe(dueMs);
        return answer;
      };
      expect(await waits(lateMs + 1, lateMs + 1)).toMatchObject({ reasons: ['deliveries_late'] });
      expect(await waits(lateMs, lateMs + 1)).toMatchObject({ status: 'ok', reasons: [] });
      expect(await waits(lateMs + 1, lateMs)).toMatchObject({ status: 'ok', reasons: [] });
      expect(await waits(3_600_000, undefined)).toMatchObject({ status: 'ok', reasons: [] });
    },
  );

  it.each([
    ['dispatch', 'overloaded', 'dispatches_refused'],
    ['dispatch', 'storage_unavailable', 'dispatches_refused'],
    ['record', 'storage_unavailable', 'results_not_written'],
  ] as const)('is degraded for a minute after an error of %s with %s', async (source, code, reason) => {
    const failedAgo = async (ms: number) => {
      const lastFailureAt = (...asked: string[]) =>
        asked.join() === `${source},${code}` ? START - ms : undefined;
      return healthOf({ notifier: { lastError: () => null, lastFailureAt } }).health();
    };
    expect(await failedAgo(59_999)).toMatchObject({ status: 'degraded', reasons: [reason] });
    expect(await failedAgo(60_000)).toMatchObject({ status: 'ok', reasons: [] });
  });

  it('is degraded when no recipient answers, and unavailable when the storage takes no writes', async () => {
    const outages = { isOutage: () => true };
    expect(await healthOf({ outages }).health()).toMatchObject({
      status: 'degraded',
      reasons: ['no_answers'],
    });
    expect(
      await healthOf({
        outages,
        writes: { isFailing: () => true, longestUnderwayMs: () => 0, isClaimSlow: () => false },
      }).health(),
    ).toMatchObject({ status: 'unavailable', reasons: ['storage_not_writable', 'no_answers'] });
  });
});
