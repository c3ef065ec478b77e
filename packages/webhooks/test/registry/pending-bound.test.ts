import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { kyselyStorage } from '../../src/kysely/index.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { migratedSqlite } from '../kysely/migrated-sqlite.ts';

const BOUND = 100_000;

it('counts pending deliveries up to 100,000, and any larger number as 100,001', async () => {
  const db = await migratedSqlite();
  const webhooks = createWebhooks({ storage: kyselyStorage(db) });
  const { id } = await webhooks.create({ url: 'https://93.184.215.14/in' });
  const at = new Date().toISOString();
  const addPending = (from: number, until: number) =>
    sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, next_attempt_at, priority_at)
      with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${until})
      select ${id}, printf('%032x', n), 'order.paid', ${at}, ${at}, ${at} from numbers`.execute(db);
  await addPending(1, BOUND);
  expect((await webhooks.get(id)).stats).toEqual({ total: BOUND, success: 0, failed: 0, pending: BOUND });
  await addPending(BOUND + 1, BOUND + 500);
  expect((await webhooks.get(id)).stats).toMatchObject({ total: BOUND + 1, pending: BOUND + 1 });
}, 60_000);
