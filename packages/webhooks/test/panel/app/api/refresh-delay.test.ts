import { describe, expect, it } from 'vitest';
import { refreshDelay } from '../../../../src/panel/app/api/refresh-delay.ts';

describe('a history', () => {
  const now = Date.parse('2026-11-20T04:10:00.000Z');
  const pending = (ms: number) => ({
    status: 'pending' as const,
    next_attempt_at: new Date(now + ms).toISOString(),
  });
  const ended = { status: 'failed' as const, next_attempt_at: null };

  it('is left alone once everything has ended', () => {
    expect(refreshDelay([], now)).toBe(Number.POSITIVE_INFINITY);
    expect(refreshDelay([ended], now)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is looked at again when the next attempt is due, neither at once nor much later', () => {
    expect(refreshDelay([ended, pending(-60_000)], now)).toBe(2_000);
    expect(refreshDelay([pending(3_000_000), pending(9_000)], now)).toBe(9_000);
    expect(refreshDelay([pending(3_000_000)], now)).toBe(30_000);
    expect(refreshDelay([{ status: 'pending', next_attempt_at: null }], now)).toBe(2_000);
  });
});
