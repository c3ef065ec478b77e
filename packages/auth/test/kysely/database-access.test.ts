import { describe, expect, test } from 'vitest';
import { retryContention } from '../../src/kysely/database-access.ts';

describe('retryContention', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

  async function retry(outcomes: readonly (Error | string)[], msPerTry = 0) {
    const pausesMs: number[] = [];
    let tries = 0;
    let now = 0;
    const result = await retryContention(
      { isContention: (error) => error === busy },
      async () => {
        now += msPerTry;
        const outcome = outcomes[Math.min(tries++, outcomes.length - 1)];
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      async (ms) => {
        pausesMs.push(ms);
      },
      () => now,
    ).catch((error: unknown) => error);
    return { result, tries, pausesMs };
  }

  test('tries again while another connection is in the way', async () => {
    expect(await retry([busy, busy, 'done'])).toMatchObject({ result: 'done', tries: 3 });
  });

  test("gives up after 12 retries of about 2 s in all, with the database's error", async () => {
    const { result, tries, pausesMs } = await retry([busy]);
    expect([result, tries]).toEqual([busy, 13]);
    const totalMs = pausesMs.reduce((sum, ms) => sum + ms, 0);
    expect(totalMs).toBeGreaterThan(900);
    expect(totalMs).toBeLessThan(2_000);
  });

  test('begins no try later than 10 s after the first', async () => {
    expect(await retry([busy], 6_000)).toMatchObject({ result: busy, tries: 2 });
  });

  test('does not try again after any other error', async () => {
    const refused = Object.assign(new Error('unique'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(await retry([refused])).toMatchObject({ result: refused, tries: 1, pausesMs: [] });
  });
});
