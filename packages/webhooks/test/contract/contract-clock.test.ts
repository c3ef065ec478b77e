import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { storageContract } from '../../src/testing/index.ts';
import { memoryByItsOwnClock } from './memory-by-its-own-clock.ts';

// Two looks at a clock fall into the same millisecond nearly always, and on a busy machine not:
// here never.
describe.concurrent('a case of the contract, whatever time passes between two of its lines', () => {
  const now = Date.now.bind(Date);
  let looks = 0;
  beforeAll(() => {
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ++looks);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
  const cases = storageContract(async () => ({ storage: memoryByItsOwnClock(), async close() {} }), {
    clock: 'database',
  });
  for (const { name, run } of cases) test(name, run);
});
