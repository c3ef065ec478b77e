import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { CLAIM, NEW_WEBHOOK } from '../example-rows.ts';
import { onPostgres, stepsOf, withoutPostgres } from './postgres-plan.ts';

const ROWS = 20_000;

/** These tables alone: those of other tests are half filled, and plans by such statistics are bad ones. */
const analyze = (db: Kysely<WebhookTables>) => sql`analyze webhooks, webhook_deliveries`.execute(db);

test.skipIf(withoutPostgres !== undefined)(
  'a claim on PostgreSQL reads no more of the queue where statistics are those of an empty one',
  () =>
    onPostgres(async ({ db, storage, executed }) => {
      for (let webhooks = 0; webhooks < 2; webhooks++) await storage.createWebhook(NEW_WEBHOOK);
      const long = '2026-01-20T04:10:00.123Z';
      const add = (prefix: string, status: string, dueAt: string | null) =>
        sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, status, next_attempt_at, priority_at)
          select 1 + n % 2, ${prefix}::text || n, 'order.paid', ${long}, ${status}, ${dueAt}, ${dueAt}
          from generate_series(1, ${ROWS}::integer) as n`.execute(db);
      await add('ended', 'success', null);
      await analyze(db);
      await add('due', 'pending', long);
      executed.length = 0;
      await storage.claimDueDeliveries({ ...CLAIM, limit: 50, choose: () => new Map() });
      const [read] = executed;
      if (read === undefined) throw new Error('the claim read nothing');
      const steps = await stepsOf(db, read);
      const most = Math.max(...steps.map((step) => step['Actual Rows'] * step['Actual Loops']));
      expect(most).toBeLessThan(500);
    }),
);

test
  .skipIf(withoutPostgres !== undefined)
  .each(['none', 'those of an empty table', 'those of a single webhook'])(
  "a claim on PostgreSQL reads each webhook's own queue where its statistics are %s",
  (statistics) =>
    onPostgres(async ({ db, storage, executed }) => {
      // Nobody else takes them meanwhile.
      await sql`alter table webhook_deliveries set (autovacuum_enabled = false)`.execute(db);
      for (let webhooks = 0; webhooks < 10; webhooks++) await storage.createWebhook(NEW_WEBHOOK);
      if (statistics === 'those of an empty table') await analyze(db);
      const long = '2026-01-20T04:10:00.123Z';
      await sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, next_attempt_at, priority_at)
        select 1, n::text, 'order.paid', ${long}, ${long}, ${long}
        from generate_series(1, ${ROWS}::integer) as n`.execute(db);
      if (statistics === 'those of a single webhook') await analyze(db);
      executed.length = 0;
      await storage.claimDueDeliveries({ ...CLAIM, limit: 50, choose: () => new Map([[1, 1]]) });
      const [read, lease] = executed;
      if (read === undefined || lease === undefined) throw new Error('the claim leased nothing');
      for (const statement of [read, lease]) {
        // Ten webhooks are one page, which it reads whole to look for one of them.
        const steps = (await stepsOf(db, statement)).filter((step) => step['Relation Name'] !== 'webhooks');
        const seen = steps.map(
          (step) => (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
        );
        expect(Math.max(...seen)).toBeLessThan(500);
      }
    }),
);
