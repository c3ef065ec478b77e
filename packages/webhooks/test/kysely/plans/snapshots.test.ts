import { type CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { stepsOf } from './postgres-plan.ts';

const ENDED = 30_000;

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

test.skipIf(postgres?.skipped !== undefined)(
  'a claim passes no deliveries that ended while another connection of PostgreSQL keeps a snapshot',
  async () => {
    if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
    const database = await postgres.create();
    try {
      const executed: CompiledQuery[] = [];
      const db = database.open<WebhookTables>({ log: ({ query }) => executed.push(query) });
      await migrateWebhooks(db);
      const storage = kyselyStorage(db);
      await storage.createWebhook(NEW_WEBHOOK);
      const long = '2026-01-20T04:10:00.123Z';
      await sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, next_attempt_at, priority_at)
        select 1, n::text, 'order.paid', ${long}, ${long}, ${long} from generate_series(1, ${ENDED}::integer) as n`.execute(
        db,
      );
      const other = database.open<WebhookTables>();
      await other.connection().execute(async (snapshot) => {
        await sql`begin isolation level repeatable read`.execute(snapshot);
        await snapshot.selectFrom('webhooks').selectAll().execute();
        await sql`update webhook_deliveries set status = 'success', priority_at = null, next_attempt_at = null`.execute(
          db,
        );
        await storage.recordDispatches([DISPATCH]);
        const blocksOf = async (isFromStart: boolean) => {
          executed.length = 0;
          await storage.claimDueDeliveries({ ...CLAIM, isFromStart, choose: () => new Map() });
          const [read] = executed;
          if (read === undefined) throw new Error('the claim read nothing');
          const [whole] = await stepsOf(db, read);
          return (whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0);
        };
        const fromStart = await blocksOf(true);
        expect(fromStart).toBeGreaterThan(1_000);
        expect(await blocksOf(false)).toBeLessThan(100);
        await sql`commit`.execute(snapshot);
      });
    } finally {
      await database.remove();
    }
  },
);
