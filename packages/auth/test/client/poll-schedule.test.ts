import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minGapMs, nextPollAfter } from '../../src/client/poll-schedule.ts';
import type { PollOutcome } from '../../src/client/status-answer.ts';

const refreshed = (ttlSeconds: number): PollOutcome => ({
  kind: 'refreshed',
  sentAt: 0,
  session: { uid: '7', scopes: [], expiresAt: 2_000_000_000 + ttlSeconds, serverTime: 2_000_000_000 },
});
const failed = (failures: number, retryAfterMs = 0): PollOutcome => ({
  kind: 'failed',
  sentAt: 0,
  failure: { status: 503, failures },
  retryAfterMs,
});

const spread = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const intervalMs = fc.integer({ min: 100, max: 3_600_000 });
const isVisible = fc.boolean();
const outcome = fc.oneof(
  fc.integer({ min: -1_000, max: 100_000 }).map(refreshed),
  fc
    .tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 3_600_000 }))
    .map(([n, ms]) => failed(n, ms)),
);

describe('the schedule of polls', () => {
  it('never lets a token expire that lives long enough to be renewed, in any tab', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 86_400 }),
        fc.record({ intervalMs, isVisible, leads: fc.boolean(), spread }),
        (ttlSeconds, input) => {
          expect(nextPollAfter(refreshed(ttlSeconds), input)).toBeLessThan(ttlSeconds * 1_000);
        },
      ),
    );
  });

  it('has the leader poll before any stand-in, whatever the dice', () => {
    fc.assert(
      fc.property(outcome, intervalMs, isVisible, spread, spread, (last, interval, visible, one, other) => {
        const leader = { intervalMs: interval, isVisible: visible, leads: true, spread: one };
        const standIn = { intervalMs: interval, isVisible: visible, leads: false, spread: other };
        expect(nextPollAfter(last, leader)).toBeLessThanOrEqual(nextPollAfter(last, standIn));
      }),
    );
  });

  it('is bounded at both ends, by the least gap and by an hour', () => {
    fc.assert(
      fc.property(
        outcome,
        intervalMs,
        isVisible,
        fc.boolean(),
        spread,
        (last, interval, visible, leads, dice) => {
          const delay = nextPollAfter(last, {
            intervalMs: interval,
            isVisible: visible,
            leads,
            spread: dice,
          });
          expect(delay).toBeGreaterThanOrEqual(minGapMs(interval));
          expect(delay).toBeLessThanOrEqual(3_600_000);
        },
      ),
    );
  });

  it('waits for as long as the server asks, and never less', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_600_000 }),
        fc.record({ intervalMs, isVisible, leads: fc.boolean(), spread }),
        (retryAfterMs, input) => {
          expect(nextPollAfter(failed(1, retryAfterMs), input)).toBeGreaterThanOrEqual(retryAfterMs);
        },
      ),
    );
  });

  it('gives the leader time for a slow answer before a stand-in polls', () => {
    const common = { intervalMs: 60_000, isVisible: true };
    const latestLeader = nextPollAfter(refreshed(300), { ...common, leads: true, spread: 1 });
    const firstStandIn = nextPollAfter(refreshed(300), { ...common, leads: false, spread: 0 });
    expect([latestLeader, firstStandIn]).toEqual([60_000, 63_000]);
  });

  it('doubles the pause after each failure, up to five intervals', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((failures) =>
      nextPollAfter(failed(failures), { intervalMs: 60_000, isVisible: true, leads: true, spread: 1 }),
    );
    expect(pauses.map((ms) => ms / 1_000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });
});
