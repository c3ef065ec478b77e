import type { LoginFailureCounts, LoginFailureStore } from '../../src/throttle/login-failure-store.ts';

export interface MemoryLoginFailures extends LoginFailureStore {
  /** Every count, by its key. */
  readonly counts: Map<string, LoginFailureCounts>;
}

/** A store for the processes of one test, which keeps everything. */
export function memoryLoginFailures(): MemoryLoginFailures {
  const counts = new Map<string, LoginFailureCounts>();
  const find = (key: string) => counts.get(key) ?? { failures: 0, underWay: 0 };
  return {
    counts,
    async add(changes) {
      return changes.map(({ key, failures, underWay }) => {
        const found = find(key);
        const sum = { failures: found.failures + failures, underWay: found.underWay + underWay };
        counts.set(key, sum);
        return sum;
      });
    },
    async forget(key) {
      const found = find(key);
      counts.delete(key);
      return found;
    },
  };
}
