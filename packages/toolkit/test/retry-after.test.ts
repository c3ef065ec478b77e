import { afterEach, describe, expect, it, vi } from 'vitest';
import { readRetryAfter } from '../src/retry-after.ts';

const NOW = Date.parse('2026-11-26T12:00:10Z');
const MAX_MS = 3_600_000;
const SENT = 'Thu, 26 Nov 2026 12:00:00 GMT';
const LATER = 'Thu, 26 Nov 2026 12:00:30 GMT';

describe('reading Retry-After', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each<[string | null | undefined, string | null | undefined, number | undefined]>([
    ['120', null, 120_000],
    [' 120 ', SENT, 120_000],
    ['0', null, 0],
    ['3601', null, MAX_MS],
    ['9'.repeat(20), null, MAX_MS],
    ['9'.repeat(400), null, MAX_MS],
    // Both dates are the server's: a clock that is wrong here takes no part.
    [LATER, SENT, 30_000],
    [LATER, ` ${SENT} `, 30_000],
    [LATER, null, 20_000],
    [LATER, undefined, 20_000],
    [LATER, 'yesterday', 20_000],
    [LATER, '0', 20_000],
    ['Thu, 26 Nov 2026 11:59:30 GMT', SENT, 0],
    ['Sat, 27 Nov 2027 12:00:00 GMT', SENT, MAX_MS],
    ['Thursday, 26-Nov-26 12:00:30 GMT', SENT, 30_000],
    ['Thu Nov 26 12:00:30 2026', SENT, 30_000],
    [LATER, 'Thu Nov 26 12:00:00 2026', 30_000],
    ['Tue Dec  1 12:00:30 2026', SENT, MAX_MS],
    [null, null, undefined],
    [undefined, SENT, undefined],
    ['', null, undefined],
    ['-45', null, undefined],
    ['-45', SENT, undefined],
    ['+45', null, undefined],
    ['1.5', null, undefined],
    ['1e3', null, undefined],
    ['2030', SENT, 2_030_000],
    ['soon', LATER, undefined],
    ['120, 240', null, undefined],
    [`${LATER}, ${LATER}`, SENT, undefined],
    ['Thu, 26 Nov 2026 12:00:30', SENT, undefined],
    ['Thu, 26 Nov 2026 14:00:30 +0200', SENT, undefined],
    ['2026-11-26T13:00:00Z', SENT, undefined],
  ])('%j with the date %j is %d ms, wherever the process is', (retryAfter, date, expected) => {
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      vi.stubEnv('TZ', zone);
      expect(readRetryAfter(retryAfter, date, NOW, MAX_MS), zone).toBe(expected);
    }
  });
});
