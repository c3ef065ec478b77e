import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { storageContract } from '../../src/testing/index.ts';
import { memoryByItsOwnClock } from './memory-by-its-own-clock.ts';
import { inVirtualTime } from './virtual-time.ts';

vi.mock('node:timers/promises', () => import('./virtual-sleep.ts'));

// What must be true of the cases themselves, wherever time passes.
describe('a storage that believes its own clock', () => {
  inVirtualTime();
  runContract();
});

// Two looks at a clock fall into the same millisecond nearly always, and on a busy machine not:
// here never.
describe('a case of the contract, whatever time passes between two of its lines', () => {
  inVirtualTime();
  beforeAll(() => {
    const now = Date.now.bind(Date);
    let looks = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ++looks);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
  runContract();
});

function runContract(): void {
  const options = { clock: 'database' } as const;
  const cases = storageContract(async () => ({ storage: memoryByItsOwnClock(), async close() {} }), options);
  for (const { name, run } of cases) test(name, run);
}
