import { AssertionError } from 'node:assert';
import { expect, test } from 'vitest';
import type {
  StoreContractCase,
  StoreContractOptions,
} from '../../src/testing/store-contract/store-contract.ts';
import type { StoreUnderTest } from '../../src/testing/store-contract/store-harness.ts';
import type { BrokenStore } from './broken-store.ts';

interface Refusals<Store> {
  readonly contract: (
    createStore: () => Promise<StoreUnderTest<Store>>,
    options?: StoreContractOptions,
  ) => readonly StoreContractCase[];
  readonly createSound: () => Store;
  readonly broken: readonly BrokenStore<Store>[];
  /** Part of the name of the case that is there to notice processes that share nothing. */
  readonly sharingCase: string;
}

/** Tests that a contract fails each store that is broken on purpose, in the case that says so. */
export function expectRefusals<Store>({ contract, createSound, broken, sharingCase }: Refusals<Store>): void {
  test.each(broken)('refuses a store that $fault', async ({ create, noticedBy }) => {
    const cases = contract(async () => ({ store: create(), async close() {} }));
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(noticedBy));
  });

  test('refuses a store whose processes do not share it', async () => {
    const cases = contract(
      async () => ({ store: createSound(), secondProcess: createSound(), async close() {} }),
      { hasSecondProcess: true },
    );
    expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(sharingCase));
  });
}

/** The names of the cases that a store fails. */
async function failuresOf(cases: readonly StoreContractCase[]): Promise<string[]> {
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
