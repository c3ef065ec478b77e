import { mock } from 'node:test';
import fc from 'fast-check';
import { happenings } from './commands.ts';
import type { ModelStorage } from './model-storages.ts';
import { World } from './world.ts';

const MAX_HAPPENINGS = 40;
const settings = fc.record({
  concurrency: fc.constantFrom(1, 2, 3, 4, 6),
  maxConcurrentPerWebhook: fc.constantFrom(1, 2, 3, 8),
  setsClockBack: fc.boolean(),
});

/**
 * Lets random sequences happen to a storage and two real runners on it, and compares everything
 * with the reference after each step. Rejects with the shortest sequence that was found to break a
 * promise, and its seed.
 *
 * @param open an empty storage, for one sequence
 */
export async function checkModel(
  open: () => Promise<ModelStorage>,
  { sequences, seed }: { readonly sequences: number; readonly seed?: number | undefined },
): Promise<void> {
  const property = fc.asyncProperty(
    settings,
    fc.commands([...happenings], { maxCommands: MAX_HAPPENINGS, size: 'max' }),
    async (workers, sequence) => {
      const world = new World(await open(), workers);
      try {
        await fc.asyncModelRun(() => ({ model: world, real: world }), sequence);
        await world.end();
      } finally {
        await world.close();
      }
    },
  );
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    await fc.assert(property, { numRuns: sequences, ...(seed !== undefined && { seed }) });
  } finally {
    mock.timers.reset();
  }
}
