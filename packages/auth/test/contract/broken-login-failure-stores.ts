import type { LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import { type BrokenStore, breakerOf } from './broken-store.ts';
import { memoryLoginFailures } from './memory-login-failures.ts';

const broken = breakerOf<LoginFailureStore>(memoryLoginFailures);

/** Stores that break one promise each; everything else is a sound store. */
export const brokenLoginFailureStores: readonly BrokenStore<LoginFailureStore>[] = [
  broken('returns the counts from before the change', 'from nothing', (sound) => ({
    async add(changes, keepSeconds) {
      const before = await sound.add(
        changes.map(({ key }) => ({ key, failures: 0, underWay: 0 })),
        keepSeconds,
      );
      await sound.add(changes, keepSeconds);
      return before;
    },
  })),
  broken('counts failures and attempts as one', 'failures apart from attempts', (sound) => ({
    async add(changes, keepSeconds) {
      const counts = await sound.add(changes, keepSeconds);
      return counts.map(({ failures, underWay }) => ({ failures: failures + underWay, underWay }));
    },
  })),
  broken('returns the counts in the order of the keys', 'in the order of the changes', (sound) => ({
    add: (changes, keepSeconds) =>
      sound.add(
        [...changes].sort((one, other) => (one.key < other.key ? -1 : 1)),
        keepSeconds,
      ),
  })),
  broken('counts the first key alone', 'in the order of the changes', (sound) => ({
    add: async (changes, keepSeconds) => [
      ...(await sound.add(changes.slice(0, 1), keepSeconds)),
      ...changes.slice(1).map(() => ({ failures: 0, underWay: 0 })),
    ],
  })),
  broken('counts every call', 'changes nothing by a change of zeros', (sound) => ({
    add: (changes, keepSeconds) =>
      sound.add(
        changes.map((change) => ({ ...change, underWay: change.underWay || 1 })),
        keepSeconds,
      ),
  })),
  broken('never goes back to nothing', 'once everything was given back', (sound) => ({
    async add(changes, keepSeconds) {
      const counts = await sound.add(changes, keepSeconds);
      const isEmpty = counts.length === 1 && counts[0]?.failures === 0 && counts[0].underWay === 0;
      return isEmpty && changes[0]?.underWay === -1 ? await sound.add(changes, keepSeconds) : counts;
    },
  })),
  broken('folds the case of keys', 'differ in case', (sound) => ({
    add: (changes, keepSeconds) =>
      sound.add(
        changes.map((change) => ({ ...change, key: change.key.toLowerCase() })),
        keepSeconds,
      ),
  })),
  broken('cuts keys', 'differ in case', (sound) => ({
    add: (changes, keepSeconds) =>
      sound.add(
        changes.map((change) => ({ ...change, key: change.key.slice(0, 49) })),
        keepSeconds,
      ),
  })),
  broken('reads the sum, then writes it', 'another sum', () => {
    const written = memoryLoginFailures();
    return {
      async add(changes) {
        const read = changes.map(({ key }) => written.counts.get(key) ?? { failures: 0, underWay: 0 });
        await Promise.resolve();
        return changes.map(({ key, failures, underWay }, index) => {
          const sum = {
            failures: (read[index]?.failures ?? 0) + failures,
            underWay: (read[index]?.underWay ?? 0) + underWay,
          };
          written.counts.set(key, sum);
          return sum;
        });
      },
    };
  }),
  broken('loses what is given back while others take', 'take and give back at once', (sound) => {
    let lost = false;
    return {
      async add(changes, keepSeconds) {
        const [{ key, failures, underWay } = { key: '', failures: 0, underWay: 0 }] = changes;
        const [counts] = await sound.add([{ key, failures: 0, underWay: 0 }], keepSeconds);
        if (lost || underWay >= 0 || (counts?.underWay ?? 0) < 5)
          return await sound.add(changes, keepSeconds);
        lost = true;
        return [{ failures: (counts?.failures ?? 0) + failures, underWay: (counts?.underWay ?? 0) - 1 }];
      },
    };
  }),
  broken('drops the last of several keys now and then', 'in another order', (sound) => {
    let calls = 0;
    return {
      async add(changes, keepSeconds) {
        calls += 1;
        if (changes.length !== 4 || calls % 5 > 0) return await sound.add(changes, keepSeconds);
        const counts = await sound.add(changes.slice(0, 3), keepSeconds);
        return [...counts, { failures: calls, underWay: 0 }];
      },
    };
  }),
  broken('forgets failures alone', 'forgets both counts', (sound) => ({
    async forget(key) {
      const { failures, underWay } = await sound.forget(key);
      await sound.add([{ key, failures: 0, underWay }], 0);
      return { failures, underWay };
    },
  })),
  broken('says that it forgot one', 'says what they were', (sound) => ({
    async forget(key) {
      const { failures, underWay } = await sound.forget(key);
      return { failures: Math.min(failures, 1), underWay };
    },
  })),
  broken('counts no attempts below nothing', 'whose beginning was forgotten', (sound) => ({
    async add(changes, keepSeconds) {
      const counts = await sound.add(changes, keepSeconds);
      return counts.map(({ failures, underWay }) => ({ failures, underWay: Math.max(0, underWay) }));
    },
  })),
  broken('forgets every key', 'of one key alone', (sound) => {
    const keys = new Set<string>();
    return {
      async add(changes, keepSeconds) {
        for (const { key } of changes) keys.add(key);
        return await sound.add(changes, keepSeconds);
      },
      async forget(key) {
        const forgotten = await sound.forget(key);
        for (const other of keys) await sound.forget(other);
        return forgotten;
      },
    };
  }),
  broken('forgets one attempt that was never made', 'has no counts', (sound) => ({
    async forget(key) {
      const { failures, underWay } = await sound.forget(key);
      return { failures, underWay: Math.max(1, underWay) };
    },
  })),
  broken('reads the counts, then takes them off', 'forget at once', (sound) => ({
    async forget(key) {
      const [counts] = await sound.add([{ key, failures: 0, underWay: 0 }], 0);
      const { failures, underWay } = counts ?? { failures: 0, underWay: 0 };
      await sound.add([{ key, failures: -failures, underWay: -underWay }], 0);
      return { failures, underWay };
    },
  })),
];
