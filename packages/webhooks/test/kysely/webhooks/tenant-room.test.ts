import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

const DAY_MS = 86_400_000;

test('a tenant that creates and removes webhooks again and again has to wait', async () => {
  const storage = kyselyStorage(await migratedSqlite());
  const create = (tenant: string) => storage.createWebhook({ ...NEW_WEBHOOK, tenant, maxOfTenant: 2 });
  for (let n = 0; n < 20; n += 1) await storage.deleteWebhook((await create('acme')).id);
  await expect(create('acme')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 });
  await create('globex');
  await storage.purgeDeliveries({ createdBefore: '', now: Date.now() + DAY_MS + 1_000, limit: 100 });
  await create('acme');
});
