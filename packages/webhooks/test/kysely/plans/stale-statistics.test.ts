import { type CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, NEW_WEBHOOK } from '../example-rows.ts';
import { stepsOf } from './postgres-plan.ts';

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

test.skipIf(postgres?.skipped !== undefined)(
  'a claim on PostgreSQL reads no more of the queue where statistics are those of an empty one',
  async () => {
    if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
    const database = await postgres.create();
    try {
      const executed: CompiledQuery[] = [];
      const db = database.open<WebhookTables>({ log: ({ query }) => executed.push(query) });
      await migrateWebhooks(db);
      const storage = kyselyStorage(db);
      for (let webhooks = 0; webhooks < 2; webhooks++) await storage.createWebhook(NEW_WEBHOOK);
      const long = '2026-01-20T04:10:00.123Z';
      const add = (prefix: string, count: number, dueAt: string | null) =>
        sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, status, next_attempt_at, priority_at)
          select 1 + n % 2, ${prefix}::text || n, 'order.paid', ${long}, ${dueAt === null ? 'success' : 'pending'},
            ${dueAt}, ${dueAt} from generate_series(1, ${count}::integer) as n`.execute(db);
      await add('ended', 20_000, null);
      await sql`analyze`.execute(db);
      await add('due', 20_000, long);
      executed.length = 0;
      await storage.claimDueDeliveries({ ...CLAIM, limit: 50, choose: () => new Map() });
      const [read] = executed;
      if (read === undefined) throw new Error('the claim read nothing');
      const steps = await stepsOf(db, read);
      const most = Math.max(...steps.map((step) => step['Actual Rows'] * step['Actual Loops']));
      expect(most).toBeLessThan(500);
    } finally {
      await database.remove();
    }
  },
);
