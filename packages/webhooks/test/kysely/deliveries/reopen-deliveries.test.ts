import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import type { FailedQuery } from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK, successOf } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

const SINCE: FailedQuery = { createdSince: '' };

async function countFailed(storage: Pick<WebhookStorage, 'reopenDeliveries'>): Promise<number> {
  const request = { target: SINCE, now: CLAIM.now, limit: 1, dryRun: true };
  return (await storage.reopenDeliveries(request)).count;
}

/**
 * A storage of one webhook whose deliveries have all failed, each created in an hour of its own.
 */
async function failedDeliveries(count: number) {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id: webhookId } = await storage.createWebhook(NEW_WEBHOOK);
  const createdAt = (n: number) => new Date(CLAIM.now - n * 3_600_000).toISOString();
  await storage.recordDispatches(
    Array.from({ length: count }, (_, n) => ({ ...DISPATCH, createdAt: createdAt(n) })),
  );
  const claims = await storage.claimDueDeliveries(CLAIM);
  await storage.recordAttempts(
    claims.map(({ id }) => ({ ...successOf(id), status: 'failed' as const })),
    RESULT_RULES,
  );
  return { db, storage, webhookId, createdAt };
}

test('a statement that fails reopens none of a batch, and leaves the counters as they were', async () => {
  const { db, storage, webhookId } = await failedDeliveries(3);
  await sql`create trigger refuse before update on webhook_activity
    begin select raise(abort, 'refused by a trigger'); end`.execute(db);
  const request = { target: SINCE, now: CLAIM.now, limit: 3 };
  await expect(storage.reopenDeliveries(request)).rejects.toThrow('refused by a trigger');
  expect(await countFailed(storage)).toBe(3);
  expect(await countDeliveries(storage, webhookId)).toMatchObject({ failed: 3, pending: 0 });
});
