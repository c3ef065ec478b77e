import { AssertionError } from 'node:assert';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { type ContractCase, storageContract } from '../../../src/testing/storage-contract.ts';
import { memoryByItsOwnClock } from '../memory-by-its-own-clock.ts';
import { sqliteUnderTest } from '../sqlite-under-test.ts';
import { brokenActivations } from './activations.ts';
import { brokenChanges } from './changes.ts';
import { brokenStorages } from './claims-and-records.ts';
import { brokenCounts } from './counts.ts';
import { brokenOverviews } from './overviews.ts';
import { brokenPauses } from './pauses.ts';
import { brokenReadyQueues } from './ready-queues.ts';
import { brokenReopenings } from './reopenings.ts';
import { brokenRetries, unnamed } from './retries.ts';
import { brokenTenants } from './tenants.ts';
import { brokenTexts } from './texts.ts';

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

const ALL_BROKEN = [
  ...brokenStorages,
  ...brokenReadyQueues,
  ...brokenReopenings,
  ...brokenPauses,
  ...brokenRetries,
  ...brokenCounts,
  ...brokenActivations,
  ...brokenTenants,
  ...brokenTexts,
  ...brokenChanges,
  ...brokenOverviews,
];

test.each(ALL_BROKEN)('the contract refuses a storage that $fault', async ({ create, noticedBy }) => {
  const all = storageContract(async () => ({ storage: create(), async close() {} }));
  const cases = all.filter(({ name }) => name.includes(noticedBy));
  expect(cases).toHaveLength(1);
  expect(await failuresOf(cases)).toHaveLength(1);
});

test('the contract refuses a storage that counts what the host rolled back', async () => {
  const cases = storageContract(
    async () => {
      const sound = await sqliteUnderTest();
      let rolledBack = 0;
      const recordDispatches: typeof sound.storage.recordDispatches = async (dispatches, transaction) => {
        const receipts = await sound.storage.recordDispatches(dispatches, transaction);
        if (transaction !== undefined) rolledBack += dispatches.length;
        return receipts;
      };
      const readOverview: typeof sound.storage.readOverview = async (query) =>
        (await sound.storage.readOverview(query)).map(({ counts, ...overview }) => ({
          ...overview,
          ...(counts && { counts: { ...counts, pending: counts.pending + rolledBack } }),
        }));
      return { ...sound, storage: { ...sound.storage, recordDispatches, readOverview } };
    },
    { hasTransactions: true },
  );
  const failed = await failuresOf(cases.filter(({ name }) => name.includes("counts nothing of a host's")));
  expect(failed).toHaveLength(1);
});

test('the contract refuses a storage that draws new ids after the answer to a commit was lost', async () => {
  const cases = storageContract(
    async () => {
      const sound = await sqliteUnderTest();
      const { unreliable } = sound;
      if (unreliable === undefined) throw new Error('SQLite under test has a connection that loses answers');
      const storage: typeof unreliable.storage = {
        ...unreliable.storage,
        recordDispatches: (dispatches) => unreliable.storage.recordDispatches(dispatches.map(unnamed)),
      };
      return { ...sound, unreliable: { ...unreliable, storage } };
    },
    { hasLostAnswers: true },
  );
  const ofLost = cases.filter(({ name }) => name.includes('was lost'));
  expect(await failuresOf(ofLost)).toEqual([expect.stringContaining('writes once what is given again')]);
});

test("the contract refuses a storage that ignores the host's transaction", async () => {
  const cases = storageContract(
    async () => {
      const sound = await sqliteUnderTest();
      const elsewhere = sound.secondProcess ?? sound.storage;
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
    async () => ({ storage: memoryStorage(), secondProcess: memoryStorage(), async close() {} }),
    { hasSecondProcess: true },
  );
  const ofPeers = cases.filter(({ name }) => /shows each process|two processes/.test(name));
  const failed = await failuresOf(ofPeers);
  expect(failed).toContainEqual(expect.stringContaining('shows each process'));
  expect(failed).toContainEqual(expect.stringContaining('two processes'));
});

test("the contract refuses a storage that believes its caller's clock where its own should decide", async () => {
  const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }), {
    clock: 'database',
  });
  const own = storageContract(async () => ({ storage: memoryByItsOwnClock(), async close() {} }), {
    clock: 'database',
  });
  const ofClocks = ({ name }: ContractCase) => name.includes("its database's clock");
  expect(await failuresOf(cases.filter(ofClocks))).toHaveLength(1);
  expect(await failuresOf(own.filter(ofClocks))).toEqual([]);
});

test('the contract fails a case where what is given is not what the options say', async () => {
  const given = { storage: memoryStorage(), secondProcess: memoryStorage(), async close() {} };
  const [unsaid, said] = [
    storageContract(async () => given),
    storageContract(async () => given, { hasSecondProcess: true }),
  ];
  expect(await failuresOf(unsaid.slice(0, 1))).toHaveLength(1);
  expect(await failuresOf(said.slice(0, 1))).toEqual([]);
  // @ts-expect-error what JavaScript may pass
  expect(() => storageContract(async () => given, { hasPeer: true })).toThrow(/unknown option/);
});
