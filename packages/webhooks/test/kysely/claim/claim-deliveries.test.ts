import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';

const WEBHOOKS = 3;
const DELIVERIES = 10;

describe.each(databaseServers)('beside other processes on $name', ({ clock, skipped, create }) => {
  const onServer = test.skipIf(skipped || clock === 'caller');

  async function open() {
    const database = untilFinished(await create());
    const db = database.open<WebhookTables>();
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    for (let webhook = 0; webhook < WEBHOOKS; webhook++) await storage.createWebhook(NEW_WEBHOOK);
    await storage.recordDispatches(Array.from({ length: DELIVERIES }, () => DISPATCH));
    const claim = (limit: number) =>
      storage.claimDueDeliveries({
        ...CLAIM,
        now: Date.now(),
        leaseMs: 60_000,
        limit,
        isFromStart: true,
        choose: chooseEvenly(limit),
      });
    return { claim, other: database.open<WebhookTables>() };
  }

  onServer('a claim leases the next deliveries of webhooks whose first ones are locked', async () => {
    const { claim, other } = await open();
    const { claimed, locked } = await lockedBy(other, async (transaction) => {
      const firsts = await transaction
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('id').as('id'))
        .groupBy('webhook_id')
        .execute();
      const ids = firsts.map(({ id }) => Number(id));
      await transaction
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('id', 'in', ids)
        .forUpdate()
        .execute();
      return { claimed: await claim(WEBHOOKS), locked: ids };
    });
    expect(new Set(claimed.map(({ webhook }) => webhook.id)).size).toBe(WEBHOOKS);
    expect(claimed.filter(({ id }) => locked.includes(id))).toEqual([]);
  });

  onServer('a claim waits for nothing where all of it is locked, and the next one finds it', async () => {
    const { claim, other } = await open();
    const whileLocked = await lockedBy(other, async (transaction) => {
      await transaction.selectFrom('webhook_deliveries').selectAll().forUpdate().execute();
      return claim(50);
    });
    expect(whileLocked).toEqual([]);
    expect(await claim(50)).toHaveLength(WEBHOOKS * DELIVERIES);
  });
});

/** Locks rows one by one: in stricter isolation MySQL locks whatever it reads on the way. */
function lockedBy<Result>(
  db: Kysely<WebhookTables>,
  work: (transaction: Kysely<WebhookTables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('read committed').execute(work);
}
