import { afterAll, beforeAll, vi } from 'vitest';

/**
 * From here on, the suite lives in virtual time: it jumps to the next timer whenever nothing else
 * is left to do. Nothing may wait for what is outside the process: a network answer takes real
 * time.
 *
 * Vitest replaces the global timers and not those of `node:timers/promises`: the file needs this
 * line, too.
 *
 * ```ts
 * vi.mock('node:timers/promises', () => import('./virtual-sleep.ts'));
 * ```
 */
export function inVirtualTime(): void {
  beforeAll(() => {
    vi.useFakeTimers();
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}
