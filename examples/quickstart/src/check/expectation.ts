import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** @throws Error with the expected and the actual value */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

const LOOK_EVERY_MS = 25;
const DEADLINE_MS = 15_000;

/**
 * Polls until there is a value, for at most 15 s.
 *
 * @throws Error that names the missing value
 */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${DEADLINE_MS / 1_000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}
