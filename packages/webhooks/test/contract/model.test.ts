import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { checkModel } from '../../prove/model/check-model.ts';
import { databaseForModel, memoryForModel } from '../../prove/model/model-storages.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { brokenRecords } from './broken/claims-and-records.ts';
import { brokenOverviews } from './broken/reopenings-and-overviews.ts';
import { brokenWebhooks } from './broken/webhooks.ts';

/**
 * A short form of `npm run prove -- model`: with another seed each time, which a failure prints.
 */
describe('random sequences', () => {
  it('keep every promise in memory', async () => {
    await checkModel(async () => memoryForModel(), { sequences: 300 });
  }, 240_000);

  it('keep every promise on SQLite', async () => {
    const database = untilFinished(sqliteFile());
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    await checkModel(() => databaseForModel([db, db]), { sequences: 60 });
  }, 240_000);
});

/** Promises whose breaks only a sequence of events shows, and it has to. */
const PROMISES: readonly string[] = [
  'keeps a claimed delivery from others',
  'never hands out one delivery twice',
  'by id, no more than asked for',
  'then names the lost attempt',
  'counts lost attempts up to the maximum',
  'discards the late result',
  'accepts a result after the lease',
  'writes nothing for a key seen before',
  'removes a webhook with its patterns and deliveries',
  "never gives a removed webhook's id again",
  'removes at most the limit',
  'a first attempt before a retry',
  'nothing that has not ended',
  'asked for, at most the limit',
  'writes nothing for a retry',
  'where it belongs',
  'the first and the last success',
  "and nobody else's",
  'tells tenants apart by their bytes',
  'tells idempotency keys apart by tenant',
  'hands out the webhook as it is now',
  'lists the webhooks of one tenant',
  'forgets the keys of one tenant',
  'closes a tenant whose keys it forgets',
  'in the order of their bytes',
];
const BREAKS = { ...brokenRecords, ...brokenOverviews, ...brokenWebhooks };

describe('random sequences', () => {
  // That a sequence fails is enough here: to find the shortest one takes longer than to find one.
  beforeAll(() => fc.configureGlobal({ endOnFailure: true }));
  afterAll(() => fc.resetConfigureGlobal());

  it.each(PROMISES)('notice what breaks “%s”', async (promise) => {
    const broken = () => {
      const sound = memoryStorage();
      return memoryForModel({ ...sound, ...BREAKS[promise]?.(sound) });
    };
    const check = checkModel(async () => broken(), { sequences: 2_000, seed: 1 });
    await expect(check).rejects.toThrow('Property failed');
  });
});
