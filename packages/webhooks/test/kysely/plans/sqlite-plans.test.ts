import { type CompiledQuery, Kysely, sql } from 'kysely';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqliteFile } from '../../../../../test/services/sqlite-file.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import { shownRun } from '../../../src/storage/failure-run.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { countDeliveries } from '../../count-deliveries.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';

const CREATED_AT = NEW_WEBHOOK.createdAt;
const NOW = Date.parse(CREATED_AT);

const file = sqliteFile();
const executed: CompiledQuery[] = [];
const db = new Kysely<unknown>({
  dialect: file.dialect(),
  log: ({ query }) => {
    executed.push(query);
  },
});
const storage = kyselyStorage(db);

/**
 * How SQLite goes about the statements that an operation really runs: one line per loop or sort.
 */
async function planOf(operation: (on: WebhookStorage) => Promise<unknown>): Promise<string[]> {
  executed.length = 0;
  await operation(storage as WebhookStorage);
  const statements = executed.filter(({ sql: text }) => /^(select|insert|update|delete|with)/.test(text));
  // On a connection of its own: libsql 0.5.29 leaves an explained write in progress.
  const explaining = new Database(file.path);
  const rows = statements.flatMap(({ sql: text, parameters }) =>
    explaining.prepare(`explain query plan ${text}`).all(...parameters),
  );
  explaining.close();
  return rows.map((row) => (row as { detail: string }).detail);
}

beforeAll(async () => {
  await migrateWebhooks(db);
  for (let i = 0; i < 200; i++) {
    const events = [i % 100 === 0 ? 'order.*' : `other${i}.*`];
    await storage.createWebhook({ ...NEW_WEBHOOK, events, ...(i % 4 === 3 && { tenant: `customer ${i}` }) });
  }
  const everyone = Array.from({ length: 10 }, (_, i) => ({
    event: 'order.paid',
    payload: '{}',
    createdAt: CREATED_AT,
    idempotencyKey: `k${i}`,
    target: { patterns: Array.from({ length: 64 }, (_, j) => `other${i * 20 + j}.*`) },
  }));
  await storage.recordDispatches(everyone);
});

afterAll(async () => {
  await db.destroy();
  await file.remove();
});

/**
 * Every operation that runs once per event, attempt or page, and the indexes that it must go
 * through.
 */
const operations: {
  name: string;
  run(on: WebhookStorage): Promise<unknown>;
  indexes: string[];
  /** What it sorts or indexes of the rows that it has found, and not of a table. */
  sorts?: string[];
}[] = [
  {
    name: 'a claim',
    run: (on) =>
      on.claimDueDeliveries({
        now: NOW,
        limit: 5,
        leaseMs: 1_000,
        maxAttempts: 4,
        claimToken: 't',
        isFromStart: true,
        choose: chooseEvenly(5),
      }),
    indexes: [
      'webhook_deliveries_ready (priority_at>? AND priority_at<?)',
      'webhook_deliveries_ready_by_webhook (webhook_id=? AND priority_at>? AND priority_at<?)',
    ],
  },
  {
    name: 'matching',
    run: (on) => on.recordDispatches([dispatchTo({ patterns: ['*', 'order.*', 'order.paid'] })]),
    indexes: [
      'SEARCH found USING PRIMARY KEY (tenant=? AND pattern=?)',
      'SEARCH webhook USING INTEGER PRIMARY KEY (rowid=?)',
    ],
    sorts: [
      'USE TEMP B-TREE FOR DISTINCT',
      'USE TEMP B-TREE FOR ORDER BY',
      'SEARCH subscriber USING AUTOMATIC PARTIAL COVERING INDEX (target=?)',
    ],
  },
  {
    name: 'a dispatch to one webhook',
    run: (on) => on.recordDispatches([dispatchTo({ webhookId: 7 })]),
    indexes: [],
  },
  {
    name: 'recording a result',
    run: (on) =>
      on.recordAttempts(
        [
          {
            id: 1,
            claimToken: 't',
            status: 'success',
            statusCode: 200,
            responseBody: '',
            error: '',
            attemptLog: [],
            activation: 0,
            now: NOW,
            retryInMs: 0,
          },
        ],
        RESULT_RULES,
      ),
    indexes: ['webhook_deliveries USING INTEGER PRIMARY KEY (rowid=?)'],
  },
  {
    name: 'counting by status',
    run: (on) => countDeliveries(on, 3),
    indexes: [
      'webhook_activity USING PRIMARY KEY (hour=? AND webhook_id=?)',
      'SEARCH webhook_deliveries USING COVERING INDEX',
    ],
  },
  {
    name: 'a list of webhooks with what happened lately',
    run: (on) => on.readOverview({ webhookIds: [1, 2, 3], healthSince: CREATED_AT, lastDelivery: true }),
    indexes: [
      'webhook_activity USING PRIMARY KEY (hour=? AND webhook_id=?)',
      'webhook_deliveries_history (webhook_id=?)',
    ],
    // Of a day's counters of those on the page.
    sorts: ['USE TEMP B-TREE FOR GROUP BY'],
  },
  {
    name: 'the failures since the last success',
    run: (on) => on.readOverview({ webhookIds: [3], failureRun: shownRun }),
    indexes: ['run USING INTEGER PRIMARY KEY (rowid=?)'],
  },
  {
    name: "a tenant's overview",
    run: (on) =>
      on.readOverview({ tenant: 'a', activity: { from: CREATED_AT, to: CREATED_AT }, waiting: true }),
    indexes: [
      'webhook_activity USING PRIMARY KEY (hour=?',
      'SEARCH webhook_deliveries USING INDEX webhook_deliveries_ready_by_webhook (webhook_id=?)',
      'SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_ready_by_webhook (webhook_id=?)',
    ],
    sorts: ['USE TEMP B-TREE FOR GROUP BY'],
  },
  {
    name: 'a purge',
    run: (on) => on.purgeDeliveries({ createdBefore: '2026-01-01', now: NOW, limit: 100 }),
    indexes: ['webhook_deliveries_by_age (created_at>? AND created_at<?)', 'webhooks_removed (is_removed=?'],
    // Of the counters that one transaction takes.
    sorts: ['USE TEMP B-TREE FOR GROUP BY'],
  },
  {
    name: 'a purge of idempotency keys',
    run: (on) => on.purgeIdempotencyKeys({ createdBefore: '2026-01-01', limit: 100 }),
    indexes: ['webhook_idempotency_keys_by_age (created_at>? AND created_at<?)'],
  },
  {
    name: 'removing a webhook',
    run: async (on) => on.deleteWebhook((await on.createWebhook({ ...NEW_WEBHOOK, events: ['none.*'] })).id),
    indexes: ['webhook_patterns_by_webhook (webhook_id=?)'],
  },
];

describe.each(['without statistics', 'with statistics'])('%s', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with statistics') await sql`analyze`.execute(db);
  });

  test.each(operations)(
    '$name reads through its index, scans no table and sorts nothing',
    async (operation) => {
      const plan = await planOf(operation.run);
      // Older versions of SQLite take the query in two parentheses as one value: its first row.
      expect(executed.filter(({ sql: text }) => text.includes('in ((select'))).toEqual([]);
      expect(
        plan.filter(
          (step) =>
            /SCAN (?!(\d+ )?CONSTANT ROW|json_each|oldest|newest|retried|looked|found|steps|queue|waiting|failures|parts|subscriber|counted|pending|more)|TEMP B-TREE|AUTOMATIC/.test(
              step,
            ) && !operation.sorts?.includes(step),
        ),
      ).toEqual([]);
      for (const index of operation.indexes) expect(plan).toContainEqual(expect.stringContaining(index));
    },
  );
});

function dispatchTo(target: DispatchRecord['target']): DispatchRecord {
  return { event: 'order.paid', payload: '{}', createdAt: CREATED_AT, target };
}

test('the revision of webhooks is read from their totals, and from indexes alone', async () => {
  const plan = await planOf((on) => on.readRevision([1, 2, 3]));
  expect(plan).toContainEqual(expect.stringContaining('USING PRIMARY KEY (hour=?'));
  const steps = plan.filter((step) => step.includes('webhook_deliveries'));
  expect(steps.filter((step) => !step.includes('USING COVERING INDEX'))).toEqual([]);
});

test('the health and the level of webhooks are read from their counters', async () => {
  const healthSince = CREATED_AT;
  const plans = [
    await planOf((on) => on.readOverview({ webhookIds: [1, 2, 3], healthSince })),
    await planOf((on) =>
      on.listWebhooks({ level: 'down', healthSince, limit: 50, offset: 0, sort: 'level', order: 'desc' }),
    ),
  ];
  for (const plan of plans) {
    expect(plan).toContainEqual(expect.stringContaining('USING PRIMARY KEY (hour=?'));
    const ofDeliveries = plan.filter((step) => step.includes('webhook_deliveries'));
    expect(ofDeliveries.filter((step) => !OF_WEBHOOK.test(step))).toEqual([]);
  }
});

/** Whether one has failed, or waits, of a webhook. */
const OF_WEBHOOK =
  /COVERING INDEX webhook_deliveries_(?:failed \(created_at>\?\)|ready_by_webhook \(webhook_id=\?\))/;
