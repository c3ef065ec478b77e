import { describe, expect, test } from 'vitest';
import { failuresOf, testBreaks } from '../../../../../test/contract/breaking.ts';
import { type ContractCase, storageContract } from '../../../contract/storage-contract.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { memoryByItsOwnClock } from '../memory-by-its-own-clock.ts';
import { sqliteUnderTest } from '../sqlite-under-test.ts';
import { brokenRecords, unnamed } from './claims-and-records.ts';
import { brokenOverviews } from './reopenings-and-overviews.ts';
import { brokenWebhooks } from './webhooks.ts';

const named = (part: string) => (one: ContractCase) => one.name.includes(part);

describe('the contract', () => {
  testBreaks({ ...brokenRecords, ...brokenOverviews, ...brokenWebhooks }, memoryStorage, (create) =>
    storageContract(async () => ({ storage: create(), async close() {} })),
  );

  test('refuses a storage that counts what the host rolled back', async () => {
    const cases = storageContract(
      async () => {
        const sound = await sqliteUnderTest();
        let rolledBack = 0;
        const storage: WebhookStorage = {
          ...sound.storage,
          async recordDispatches(dispatches, transaction) {
            if (transaction !== undefined) rolledBack += dispatches.length;
            return sound.storage.recordDispatches(dispatches, transaction);
          },
          readOverview: async (query) =>
            (await sound.storage.readOverview(query)).map(({ counts, ...overview }) => ({
              ...overview,
              ...(counts && { counts: { ...counts, pending: counts.pending + rolledBack } }),
            })),
        };
        return { ...sound, storage };
      },
      { hasTransactions: true },
    );
    expect(await failuresOf(cases.filter(named("counts nothing of a host's")))).toHaveLength(1);
  });

  test('refuses a storage that draws new ids after the answer to a commit was lost', async () => {
    const cases = storageContract(
      async () => {
        const sound = await sqliteUnderTest();
        const { unreliable } = sound;
        if (unreliable === undefined)
          throw new Error('SQLite under test has a connection that loses answers');
        const recordDispatches: WebhookStorage['recordDispatches'] = (dispatches) =>
          unreliable.storage.recordDispatches(dispatches.map(unnamed));
        return {
          ...sound,
          unreliable: { ...unreliable, storage: { ...unreliable.storage, recordDispatches } },
        };
      },
      { hasLostAnswers: true },
    );
    expect(await failuresOf(cases.filter(named('was lost')))).toEqual([
      expect.stringContaining('writes once what is given again'),
    ]);
  });

  test("refuses a storage that ignores the host's transaction", async () => {
    const cases = storageContract(
      async () => {
        const sound = await sqliteUnderTest();
        const elsewhere = sound.secondProcess ?? sound.storage;
        const recordDispatches: WebhookStorage['recordDispatches'] = (dispatches) =>
          elsewhere.recordDispatches(dispatches);
        return { ...sound, storage: { ...sound.storage, recordDispatches } };
      },
      { hasTransactions: true },
    );
    const failed = await failuresOf(cases.filter(named('transaction')));
    expect(failed).toContainEqual(expect.stringContaining('rolls back'));
  });

  test.each(['shows each process', 'two processes'])(
    'notices processes that share nothing: %s',
    async (part) => {
      const cases = storageContract(
        async () => ({ storage: memoryStorage(), secondProcess: memoryStorage(), async close() {} }),
        { hasSecondProcess: true },
      );
      expect(await failuresOf(cases.filter(named(part)))).not.toEqual([]);
    },
  );

  test.each([
    [memoryStorage, 1],
    [memoryByItsOwnClock, 0],
  ])("wants its database's clock to decide: %o", async (create, failures) => {
    const cases = storageContract(async () => ({ storage: create(), async close() {} }), {
      clock: 'database',
    });
    expect(await failuresOf(cases.filter(named("its database's clock")))).toHaveLength(failures);
  });

  test('fails a case where what is given is not what the options say', async () => {
    const given = { storage: memoryStorage(), secondProcess: memoryStorage(), async close() {} };
    expect(await failuresOf(storageContract(async () => given).slice(0, 1))).toHaveLength(1);
    const said = storageContract(async () => given, { hasSecondProcess: true });
    expect(await failuresOf(said.slice(0, 1))).toEqual([]);
    // @ts-expect-error what JavaScript may pass
    expect(() => storageContract(async () => given, { hasPeer: true })).toThrow(/unknown option/);
  });
});
