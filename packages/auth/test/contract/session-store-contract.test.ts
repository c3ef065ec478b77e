import { AssertionError } from 'node:assert';
import { describe, expect, it, test } from 'vitest';
import { memorySessionStore } from '../../src/sessions/store/memory-session-store.ts';
import {
  type SessionStoreContractCase,
  sessionStoreContract,
} from '../../src/testing/session-store-contract.ts';
import { brokenSessionStores } from './broken-session-stores.ts';

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
  it.each(brokenSessionStores)('refuses a store that $fault', async ({ create, noticedBy }) => {
    const cases = sessionStoreContract(async () => ({ store: create(), async close() {} }));
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(noticedBy));
  });

  it('refuses a store whose processes do not share it', async () => {
    const cases = sessionStoreContract(
      async () => ({ store: memorySessionStore(), secondProcess: memorySessionStore(), async close() {} }),
      { hasSecondProcess: true },
    );
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining('shows each process'));
  });

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

  it('closes what a case used when the case fails', async () => {
    const [first] = sessionStoreContract(async () => ({
      store: { ...memorySessionStore(), list: async () => [] },
      close: async () => void closed.push('closed'),
    }));
    const closed: string[] = [];
    await expect(first?.run()).rejects.toThrow(AssertionError);
    expect(closed).toEqual(['closed']);
  });
});

/** The names of the cases that a store fails. */
async function failuresOf(cases: readonly SessionStoreContractCase[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await run().catch((error: unknown) => {
      // Anything else would be a fault of the broken store itself.
      expect(error, name).toBeInstanceOf(AssertionError);
      failed.push(name);
    });
  }
  return failed;
}
