import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import type { LoginFailureStore } from '../../../src/throttle/login-failure-store.ts';

const { ask, answer } = breaking<LoginFailureStore>();

/** What breaks the promises of stores of failed log-ins. */
export const brokenLoginFailures: Breaks<LoginFailureStore> = {
  'failures apart from attempts': answer('add', (all) =>
    all.map(({ failures, underWay }) => ({ failures: failures + underWay, underWay })),
  ),
  'in the order of the changes': ask('add', (changes) =>
    [...changes].sort((one, other) => (one.key < other.key ? -1 : 1)),
  ),
  'differ in case': ask('add', (changes) =>
    changes.map((change) => ({ ...change, key: change.key.toLowerCase() })),
  ),
  'says what they were': answer('forget', ({ failures, underWay }) => ({
    failures: Math.min(failures, 1),
    underWay,
  })),
  'has no counts': answer('forget', ({ failures, underWay }) => ({
    failures,
    underWay: Math.max(1, underWay),
  })),
  'forget at once': (sound) => ({
    async forget(key) {
      const [counts] = await sound.add([{ key, failures: 0, underWay: 0 }], 0);
      const { failures, underWay } = counts ?? { failures: 0, underWay: 0 };
      await sound.add([{ key, failures: -failures, underWay: -underWay }], 0);
      return { failures, underWay };
    },
  }),
};
