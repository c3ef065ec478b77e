import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../src/retry-after.ts';

const NOW = Date.parse('2026-11-20T04:10:00Z');
const MAX_MS = 3_600_000;
const LATER = 'Fri, 20 Nov 2026 04:12:00 GMT';

describe('reading Retry-After', () => {
  it.each<[string | null, string | null, number]>([
    ['120', null, 120_000],
    [' 0 ', null, 0],
    [LATER, null, 120_000],
    // Both dates are the server's: a clock that is wrong here takes no part.
    [LATER, 'Fri, 20 Nov 2026 04:11:30 GMT', 30_000],
    [LATER, 'yesterday', 120_000],
    ['Fri, 20 Nov 2026 04:00:00 GMT', null, 0],
    ['3601', null, MAX_MS],
    ['9'.repeat(400), null, MAX_MS],
    ['Fri, 20 Nov 2099 04:00:00 GMT', null, MAX_MS],
    [null, null, 0],
    ['', null, 0],
    ['-1', null, 0],
    ['soon', LATER, 0],
  ])('%j with the date %j is %i ms', (retryAfter, date, expected) => {
    expect(readRetryAfter(retryAfter, date, NOW, MAX_MS)).toBe(expected);
  });
});
