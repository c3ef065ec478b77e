import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../src/delivery/retry-after.ts';

describe('Retry-After', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const now = Date.parse('2026-11-20T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 12:10:00 GMT', 600_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
    ['Fri Nov 20 12:10:00 2026', 600_000],
    ['Sun Nov  1 12:10:00 2026', 0],
    ['Sun Dec  6 12:10:00 2026', MAX_RETRY_AFTER_MS],
    ['Fri, 20 Nov 2026 12:10:00', 0],
    ['Fri, 20 Nov 2026 14:10:00 +0200', 0],
    ['7200', MAX_RETRY_AFTER_MS],
    ['9999999999', MAX_RETRY_AFTER_MS],
    ['Mon, 20 Nov 2034 12:10:00 GMT', MAX_RETRY_AFTER_MS],
    ['', 0],
    ['-5', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['soon', 0],
    ['99999999999', MAX_RETRY_AFTER_MS],
    ['2026-11-20T13:00:00Z', 0],
  ])('%j means %d ms, wherever the process is', (header, expected) => {
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      vi.stubEnv('TZ', zone);
      expect(retryAfterMs(header, now), zone).toBe(expected);
    }
  });

  it('means no pause when it is absent', () => {
    expect(retryAfterMs(undefined, now)).toBe(0);
  });
});
