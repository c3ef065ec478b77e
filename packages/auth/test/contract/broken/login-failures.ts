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
  'changes nothing by a change of zeros': ask('add', (changes) =>
    changes.map((change) => ({ ...change, underWay: change.underWay || 1 })),
  ),
  'once everything was given back': (sound) => ({
    async add(changes, keepSeconds) {
      const counts = await sound.add(changes, keepSeconds);
      const isEmpty = counts.length === 1 && counts[0]?.failures === 0 && counts[0].underWay === 0;
      return isEmpty && changes[0]?.underWay === -1 ? await sound.add(changes, keepSeconds) : counts;
    },
  }),
  'differ in case': ask('add', (changes) =>
    changes.map((change) => ({ ...change, key: change.key.toLowerCase() })),
  ),
  'forgets both counts': (sound) => ({
    async forget(key) {
      const { failures, underWay } = await sound.forget(key);
      await sound.add([{ key, failures: 0, underWay }], 0);
      return { failures, underWay };
    },
  }),
  'says what they were': answer('forget', ({ failures, underWay }) => ({
    failures: Math.min(failures, 1),
    underWay,
  })),
  'whose beginning was forgotten': answer('add', (all) =>
    all.map(({ failures, underWay }) => ({ failures, underWay: Math.max(0, underWay) })),
  ),
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
