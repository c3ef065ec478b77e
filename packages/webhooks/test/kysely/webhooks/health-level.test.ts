import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NEW_WEBHOOK } from '../example-rows.ts';
import { onPostgres, stepsOf, withoutPostgres } from '../plans/postgres-plan.ts';

const HOUR = '2026-01-20T04';

test.skipIf(withoutPostgres)('a list by level reads the counters of all webhooks once', async () => {
  await onPostgres(async ({ db, storage, executed }) => {
    for (let n = 0; n < 20; n += 1) await storage.createWebhook(NEW_WEBHOOK);
    await sql`insert into webhook_activity (webhook_id, hour, shard, success, failed)
      select id, ${HOUR}, 0, 9, case when id > 18 then 1 else 0 end from webhooks`.execute(db);
    await sql`insert into webhook_deliveries (webhook_id, delivery_id, event, status, created_at)
      select id, id::text, 'a.b', 'failed', ${`${HOUR}:10:00.000Z`} from webhooks where id > 18`.execute(db);
    executed.length = 0;
    const page = { limit: 3, offset: 0, sort: 'level', order: 'desc' } as const;
    const { webhooks } = await storage.listWebhooks({ ...page, healthSince: `${HOUR}:30:00.000Z` });
    expect(webhooks.map(({ id }) => id)).toEqual([20, 19, 18]);
    // Compiled by its estimates, it would take seconds of many webhooks.
    const uncompiled = executed.findIndex(({ sql }) => sql.includes("set_config('jit', 'off', true)"));
    const list = executed[uncompiled + 1];
    if (uncompiled === -1 || list === undefined) throw new Error('it may be compiled');
    const steps = await stepsOf(db, list);
    const counters = steps.filter((step) => step['Relation Name'] === 'webhook_activity');
    expect(Math.max(...counters.map((step) => step['Actual Loops']))).toBe(1);
  });
});
