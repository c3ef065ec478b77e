import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { ClaimRequest, DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import type { NewWebhook } from '../../../src/storage/webhook-requests.ts';
import { databaseServers } from '../database-servers.ts';
import { type PlanStep, stepsOf } from './postgres-plan.ts';

const CREATED_AT = '2026-01-20T04:10:00.123Z';
const PENDING = 4_000;
const OTHERS = 2_000;
const PAYLOAD = JSON.stringify({ text: 'x'.repeat(1_000) });

const NEW_WEBHOOK: NewWebhook = {
  url: 'https://a.example/',
  secret: 's',
  description: '',
  events: ['none.*'],
  isActive: true,
  createdBy: 0,
  createdByUid: null,
  createdAt: CREATED_AT,
};

const CLAIM: ClaimRequest = {
  now: 0,
  limit: 5,
  leaseMs: 60_000,
  maxAttempts: 4,
  claimToken: 't',
  isFromStart: true,
  choose: chooseEvenly(5),
};

/** Chooses among the other webhooks. */
function others(hangs: number): ClaimRequest['choose'] {
  return (waiting) => CLAIM.choose(waiting.filter(({ webhookId }) => webhookId !== hangs));
}

/** PostgreSQL, before its statistics know of what is pending: as it is when a burst comes. */
const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

describe.skipIf(postgres?.skipped !== undefined)(
  'plans on PostgreSQL in a burst that statistics do not know of',
  () => {
    let database: TestDatabase;
    let db: Kysely<unknown>;
    let storage: WebhookStorage;
    let hangs: number;
    const executed: CompiledQuery[] = [];

    beforeAll(async () => {
      if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
      database = await postgres.createEmpty();
      db = database.open<unknown>({ log: ({ query }) => executed.push(query) });
      await migrateWebhooks(db);
      storage = kyselyStorage(db) as WebhookStorage;
      ({ id: hangs } = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['hangs.*'] }));
      for (let i = 0; i < 50; i++) await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.*'] });
      // Nobody dispatches to them: a plan may read a few webhooks through, and not all.
      await sql`insert into webhooks (url, secret, created_at, updated_at)
        select 'https://a.example/', 's', ${CREATED_AT}, ${CREATED_AT} from generate_series(1, ${OTHERS}::integer)`.execute(
        db,
      );
      await sql`alter table webhook_deliveries set (autovacuum_enabled = off)`.execute(db);
      await storage.recordDispatches(Array.from({ length: PENDING }, () => dispatchTo('hangs.*')));
      await storage.recordDispatches([dispatchTo('order.*')]);
    });
    afterAll(() => database?.remove());

    /**
     * The steps of the statements that the operation runs, which run once more in a transaction.
     */
    async function planOf(operation: () => Promise<unknown>): Promise<PlanStep[]> {
      executed.length = 0;
      await operation();
      const statements = executed.filter(({ sql: text }) => /^(select|with)/.test(text));
      return await db.transaction().execute(async (transaction) => {
        const steps: PlanStep[] = [];
        // One by one: what the operation set for its transaction holds for the later plans too.
        for (const statement of statements) steps.push(...(await stepsOf(transaction, statement)));
        return steps;
      });
    }

    test('a claim sorts no deliveries, and reads a window of them', async () => {
      const plan = await planOf(() => storage.claimDueDeliveries(CLAIM));
      expect(plan.map((step) => step['Index Name'])).toContain('webhook_deliveries_ready');
      expect(plan.filter((step) => step['Node Type'] === 'Seq Scan' && isOfDeliveries(step))).toEqual([]);
      expect(mostRows(plan.filter(isOfDeliveries))).toBeLessThan(400);
    });

    test('a claim past a webhook that has its share reads as many rows as there are webhooks, not deliveries', async () => {
      const plan = await planOf(() => storage.claimDueDeliveries({ ...CLAIM, choose: others(hangs) }));
      expect(plan.map((step) => step['Index Name'])).toContain('webhook_deliveries_ready_by_webhook');
      expect(mostRows(plan.filter(isOfDeliveries))).toBeLessThan(400);
    });
  },
);

/** The most rows that one step gave in all its loops. */
function mostRows(plan: readonly PlanStep[]): number {
  return Math.max(...plan.map((step) => step['Actual Rows'] * step['Actual Loops']));
}

function isOfDeliveries(step: PlanStep): boolean {
  return step['Relation Name'] === 'webhook_deliveries';
}

function dispatchTo(pattern: string): DispatchRecord {
  return { event: 'order.paid', payload: PAYLOAD, createdAt: CREATED_AT, target: { patterns: [pattern] } };
}

const mysql = databaseServers.find(({ name }) => name.startsWith('MySQL'));

describe.skipIf(mysql?.skipped !== undefined)('rows that MySQL or MariaDB reads', () => {
  test('by a claim past a webhook that has its share follow the number of webhooks, not of deliveries', async () => {
    if (mysql === undefined) throw new Error('there is no MySQL among the servers');
    const database = await mysql.createEmpty();
    try {
      const db = database.open<unknown>();
      await migrateWebhooks(db);
      const storage = kyselyStorage(db) as WebhookStorage;
      const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['hangs.*'] });
      for (let i = 0; i < 20; i++) await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.*'] });
      await storage.recordDispatches(Array.from({ length: PENDING }, () => dispatchTo('hangs.*')));
      await storage.recordDispatches([dispatchTo('order.*')]);
      // One connection, so that its own counters have seen everything.
      const single = await db.connection().execute(async (connection) => {
        const claiming = kyselyStorage(connection) as WebhookStorage;
        await sql`flush status`.execute(connection);
        const claims = await claiming.claimDueDeliveries({ ...CLAIM, choose: others(id) });
        const { rows } = await sql<{ Variable_name: string; Value: string }>`
          show session status like 'Handler_read%'`.execute(connection);
        return { claims, read: rows.reduce((sum, row) => sum + Number(row.Value), 0) };
      });
      expect(single.claims).toHaveLength(5);
      expect(single.read).toBeLessThan(2_000);
    } finally {
      await database.remove();
    }
  });
});
