import { describe, expect, it, test } from 'vitest';
import { sessionStoreContract } from '../../contract/session-store-contract.ts';
import { memorySessionStore } from '../../src/sessions/store/memory-session-store.ts';

describe('memorySessionStore', () => {
  // One memory has no second connection: it is its own second process.
  const cases = sessionStoreContract(
    async () => {
      const store = memorySessionStore();
      return { store, secondProcess: store, async close() {} };
    },
    { hasSecondProcess: true },
  );
  for (const { name, run } of cases) test(name, run);
});

describe('sessionStoreContract', () => {
  it('leaves the cases for two processes out where there is one', () => {
    const names = (hasSecondProcess: boolean) =>
      sessionStoreContract(() => Promise.reject(new Error('not called')), { hasSecondProcess }).map(
        ({ name }) => name,
      );
    expect(names(true).filter((name) => !names(false).includes(name))).toEqual([
      expect.stringContaining('shows each process'),
    ]);
    expect(new Set(names(true)).size).toBe(names(true).length);
  });
});
