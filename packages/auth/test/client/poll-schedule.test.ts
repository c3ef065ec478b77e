import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPollAfter } from '../../src/client/poll-schedule.ts';
import type { PollOutcome } from '../../src/client/status-answer.ts';

const refreshed = (ttlSeconds: number): PollOutcome => ({
  kind: 'refreshed',
  sentAt: 0,
  pauseMs: 0,
  session: { uid: '7', scopes: [], expiresAt: 2_000_000_000 + ttlSeconds, serverTime: 2_000_000_000 },
});
const failed = (failures: number, pauseMs = 0): PollOutcome => ({
  kind: 'failed',
  sentAt: 0,
  pauseMs,
  failure: { status: 503, failures },
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const intervalMs = fc.integer({ min: 100, max: 3_600_000 });
const page = fc.record({ isHidden: fc.boolean(), isWoken: fc.boolean() });
const outcome = fc.oneof(
  fc.integer({ min: -1_000, max: 100_000 }).map(refreshed),
  fc
    .tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 3_600_000 }))
    .map(([n, ms]) => failed(n, ms)),
);

describe('the schedule of polls', () => {
  it('never lets a token expire that lives long enough to be renewed, in any tab', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 86_400 }), intervalMs, page, random, (ttlSeconds, ...input) => {
        expect(nextPollAfter(refreshed(ttlSeconds), ...input)).toBeLessThan(ttlSeconds * 1_000);
      }),
    );
  });

  it('is bounded at both ends, by the least gap and by an hour', () => {
    fc.assert(
      fc.property(outcome, intervalMs, page, random, (last, interval, ...input) => {
        const delay = nextPollAfter(last, interval, ...input);
        expect(delay).toBeGreaterThanOrEqual(Math.min(1_000, interval / 4));
        expect(delay).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });

  it('waits for as long as the server asks, and never less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_600_000 }), intervalMs, page, random, (pauseMs, ...input) => {
        expect(nextPollAfter(failed(1, pauseMs), ...input)).toBeGreaterThanOrEqual(pauseMs);
      }),
    );
  });

  it('doubles the pause after each failure, up to five intervals', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((failures) =>
      nextPollAfter(failed(failures), 60_000, { isHidden: false, isWoken: false }, 1),
    );
    expect(pauses.map((ms) => ms / 1_000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });
});
