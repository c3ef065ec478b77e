import { AssertionError } from 'node:assert';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { type ContractCase, storageContract } from '../../src/testing/index.ts';
import { brokenStorages } from './broken-storages.ts';
import { sqliteUnderTest } from './sqlite-under-test.ts';

/** The names of the cases that a storage fails. */
async function failuresOf(cases: readonly ContractCase[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await run().catch((error: unknown) => {
      // Anything else would be a fault of the broken storage itself.
      expect(error, name).toBeInstanceOf(AssertionError);
      failed.push(name);
    });
  }
  return failed;
}

test.each(brokenStorages)('the contract refuses a storage that $fault', async ({ create, noticedBy }) => {
  const cases = storageContract(async () => ({ storage: create(), async close() {} }));
  expect(await failuresOf(cases)).toContainEqual(expect.stringContaining(noticedBy));
});

test("the contract refuses a storage that ignores the host's transaction", async () => {
  const cases = storageContract(
    async () => {
      const sound = await sqliteUnderTest();
      const elsewhere = sound.peer ?? sound.storage;
      const recordDispatches: typeof elsewhere.recordDispatches = (dispatches) =>
        elsewhere.recordDispatches(dispatches);
      return { ...sound, storage: { ...sound.storage, recordDispatches } };
    },
    { hasTransactions: true },
  );
  const failed = await failuresOf(cases.filter(({ name }) => name.includes('transaction')));
  expect(failed).toContainEqual(expect.stringContaining('rolls back'));
});

test('the contract refuses a storage whose processes do not share it', async () => {
  const cases = storageContract(
    async () => ({ storage: memoryStorage(), peer: memoryStorage(), async close() {} }),
    { hasPeers: true },
  );
  const failed = await failuresOf(cases);
  expect(failed).toContainEqual(expect.stringContaining('shows each process'));
  expect(failed).toContainEqual(expect.stringContaining('two processes'));
});
