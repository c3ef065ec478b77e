import { describe, expect, test } from 'vitest';
import { retryContention } from '../src/retry-contention.ts';

describe('retryContention', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

  /**
   * @param timing `blockedMs`: how long each try waits for the lock inside the driver, as with a
   *   busy timeout
   */
  async function retry(
    outcomes: readonly (Error | string)[],
    { blockedMs = 0, ...bounds }: { readonly blockedMs?: number; readonly maxMs?: number } = {},
  ) {
    const pausesMs: number[] = [];
    let tries = 0;
    let elapsedMs = 0;
    const result = await retryContention(
      { isContention: (error) => error === busy },
      async () => {
        const outcome = outcomes[Math.min(tries++, outcomes.length - 1)];
        elapsedMs += blockedMs;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      {
        ...bounds,
        time: {
          now: () => elapsedMs,
          async pause(ms) {
            pausesMs.push(ms);
            elapsedMs += ms;
          },
        },
      },
    ).catch((error: unknown) => error);
    return { result, tries, pausesMs, elapsedMs };
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

  test.each([100, 250, 900])('begins no try after 2 s when each is blocked for %i ms', async (blockedMs) => {
    const { result, tries, elapsedMs } = await retry([busy], { blockedMs });
    expect(result).toBe(busy);
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(13);
    expect(elapsedMs).toBeLessThanOrEqual(2_000 + blockedMs);
  });

  test('does not try again when one try alone was blocked for longer than 2 s', async () => {
    expect(await retry([busy, 'done'], { blockedMs: 5_000 })).toMatchObject({
      result: busy,
      tries: 1,
      pausesMs: [],
    });
  });

  test('does not try again after any other error', async () => {
    const refused = Object.assign(new Error('UNIQUE constraint failed'), {
      code: 'SQLITE_CONSTRAINT_UNIQUE',
    });
    expect(await retry([refused])).toMatchObject({ result: refused, tries: 1, pausesMs: [] });
  });

  test('takes the bound of its caller', async () => {
    const { elapsedMs, tries } = await retry([busy], { blockedMs: 4_000, maxMs: 10_000 });
    expect([tries, elapsedMs <= 14_000]).toEqual([3, true]);
  });
});
