import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { checkModel } from '../../prove/model/check-model.ts';
import { databaseForModel, memoryForModel } from '../../prove/model/model-storages.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { brokenActivations } from './broken/activations.ts';
import { brokenStorages } from './broken/claims-and-records.ts';
import { brokenCounts } from './broken/counts.ts';
import { brokenReadyQueues } from './broken/ready-queues.ts';
import { brokenReopenings } from './broken/reopenings.ts';
import { brokenRetries } from './broken/retries.ts';
import { brokenTenants } from './broken/tenants.ts';

/**
 * A short form of `npm run prove -- model`: with another seed each time, which a failure prints.
 */
const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.remove();
});

describe('random sequences', () => {
  it('keep every promise in memory', async () => {
    await checkModel(async () => memoryForModel(), { sequences: 300 });
  }, 240_000);

  it('keep every promise on SQLite', async () => {
    const database = sqliteFile();
    databases.push(database);
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    await checkModel(() => databaseForModel([db, db]), { sequences: 60 });
  }, 240_000);
});

/** Faults that only a sequence of events shows, and that it has to. */
const FAULTS: readonly string[] = [
  'hands out every claim twice',
  'claims by reading first and marking later',
  'hands out more than asked for',
  'ignores the lease',
  'holds a claim for ever',
  'forgets that an attempt was lost',
  'knows no maximum of attempts',
  'accepts late results',
  'refuses a result whose lease has ended',
  'loses idempotency keys',
  'deletes no deliveries',
  'gives ids again',
  'purges beyond the limit',
  'knows no difference between retries and first attempts',
  'reopens what has not ended',
  'recovers beyond the limit',
  'writes a retry as if it were a first try',
  'keeps counting what was purged',
  'ends a run of failures with its last success',
  'ignores whose webhook it is',
  'adds the host to every dispatch',
  'folds the case of tenants',
  'shares idempotency keys among tenants',
  "claims a customer's webhook as the host's own",
  'lists the webhooks of every tenant',
  'forgets the keys of every tenant',
  'does not close a tenant',
  'takes the host for a tenant',
];
const ALL_BROKEN = [
  ...brokenStorages,
  ...brokenReadyQueues,
  ...brokenReopenings,
  ...brokenRetries,
  ...brokenCounts,
  ...brokenActivations,
  ...brokenTenants,
].filter(({ fault }) => FAULTS.includes(fault));

it('random sequences are tried on as many faults as are named', () => {
  expect(ALL_BROKEN.map(({ fault }) => fault).sort()).toEqual(FAULTS.toSorted());
});

describe('random sequences', () => {
  // That a sequence fails is enough here: to find the shortest one takes longer than to find one.
  beforeAll(() => fc.configureGlobal({ endOnFailure: true }));
  afterAll(() => fc.resetConfigureGlobal());

  it.each(ALL_BROKEN)('find a storage that $fault', async ({ create }) => {
    const check = checkModel(async () => memoryForModel(create()), { sequences: 2_000, seed: 1 });
    await expect(check).rejects.toThrow('Property failed');
  });
});
