import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type {
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DispatchRecord,
} from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { readActivity } from '../../count-deliveries.ts';
import { databaseServers } from '../database-servers.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';

const CLAIM: ClaimRequest = {
  now: 0,
  limit: 20,
  leaseMs: 60_000,
  maxAttempts: 4,
  claimToken: 't',
  isFromStart: true,
  choose: chooseEvenly(20),
};
/** Two hours, so that a group of results changes more than one counter of a webhook. */
const HOURS = ['2026-11-20T04', '2026-11-20T05'];

const STRICTER = 'set default_transaction_isolation = serializable';

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

describe.skipIf(postgres?.skipped !== undefined)('on PostgreSQL', () => {
  /** Two webhooks with ten deliveries each. */
  async function open(onConnect = '') {
    if (postgres === undefined) throw new Error('there is no PostgreSQL among the servers');
    const database = untilFinished(await postgres.createEmpty());
    const roundTrips = { count: 0 };
    const errors: unknown[] = [];
    const db: Kysely<WebhookTables> = database.open({
      onConnect,
      log(event) {
        roundTrips.count += 1;
        if (event.level === 'error') errors.push(event.error);
      },
    });
    await migrateWebhooks(db);
    // It asks for its record first, which is not there yet.
    errors.length = 0;
    const storage = kyselyStorage(db) as WebhookStorage;
    for (let i = 0; i < 2; i++) await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.*'] });
    await storage.recordDispatches(Array.from({ length: 10 }, (_, n) => dispatchIn(HOURS[n % 2])));
    return { db, storage, roundTrips, errors };
  }

  test('a claim takes two round trips, where everything due fits and where it does not', async () => {
    const { storage, roundTrips } = await open();
    // The first one of an hour notes the hour.
    await storage.claimDueDeliveries({ ...CLAIM, choose: () => new Map() });
    roundTrips.count = 0;
    expect(await storage.claimDueDeliveries({ ...CLAIM, limit: 10, choose: chooseEvenly(10) })).toHaveLength(
      10,
    );
    expect(roundTrips.count).toBe(2);
    roundTrips.count = 0;
    expect(await storage.claimDueDeliveries(CLAIM)).toHaveLength(10);
    expect(roundTrips.count).toBe(2);
  });

  test('a burst of results takes one round trip', async () => {
    const { storage, roundTrips } = await open();
    const claims = await storage.claimDueDeliveries(CLAIM);
    roundTrips.count = 0;
    await storage.recordAttempts(
      claims.map((claim) => resultOf(claim, 'success')),
      RESULT_RULES,
    );
    expect(roundTrips.count).toBe(1);
  });

  test('results that fail take eight round trips at most, whatever the number of webhooks', async () => {
    const { storage, roundTrips } = await open();
    for (let i = 0; i < 98; i++) await storage.createWebhook({ ...NEW_WEBHOOK, events: ['order.*'] });
    await storage.recordDispatches([dispatchIn(HOURS[0]), dispatchIn(HOURS[1])]);
    const taken: number[] = [];
    for (let runs = 0; runs < 2; runs += 1) {
      const claims = await storage.claimDueDeliveries({ ...CLAIM, limit: 100, choose: chooseEvenly(100, 1) });
      expect(new Set(claims.map(({ webhook }) => webhook.id)).size).toBe(100);
      roundTrips.count = 0;
      await storage.recordAttempts(
        claims.map((claim) => resultOf(claim, 'failed')),
        RESULT_RULES,
      );
      taken.push(roundTrips.count);
    }
    expect(taken).toEqual([6, 6]);
  });

  test.each([
    ['by default', ''],
    ["where the host's sessions are stricter", STRICTER],
  ])('the counters follow the results, %s', async (_name, onConnect) => {
    const { db, storage, errors } = await open(onConnect);
    const claims = await storage.claimDueDeliveries(CLAIM);
    const ends = ['success', 'failed', 'pending'] as const;
    const results = claims.map((claim, n) => resultOf(claim, ends[n % 3] ?? 'success'));
    // Each waits for counters of another.
    const parts = Array.from({ length: 5 }, (_, n) => results.slice(4 * n, 4 * n + 4));
    const receipts = await Promise.all(parts.map((part) => storage.recordAttempts(part, RESULT_RULES)));
    expect(new Set(receipts.flat())).toEqual(new Set(['recorded']));
    // Where sessions are stricter, what fails is tried again.
    expect(errors.filter((error) => onConnect === '' || !isSerializationFailure(error))).toEqual([]);
    for (const webhookId of [1, 2]) {
      const [from = '', to = ''] = HOURS.map((hour) => `${hour}:00:00.000Z`);
      const hours = await readActivity(storage, { webhookId, from, to });
      for (const { hour, ...counts } of hours) {
        const rows = await db
          .selectFrom('webhook_deliveries')
          .select(['status', 'completed_at'])
          .where('webhook_id', '=', webhookId)
          .where('created_at', 'like', `${hour.slice(0, 13)}%`)
          .execute();
        const countOf = (status: string) => rows.filter((row) => row.status === status).length;
        expect(counts).toEqual({
          success: countOf('success'),
          failed: countOf('failed'),
          pending: countOf('pending'),
        });
      }
      expect(hours).toHaveLength(2);
      const { last_success_at } = await db
        .selectFrom('webhook_activity')
        .select('last_success_at')
        .where('webhook_id', '=', webhookId)
        .where('hour', '=', '')
        .executeTakeFirstOrThrow();
      const { latest } = await db
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.max('completed_at').as('latest'))
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'success')
        .executeTakeFirstOrThrow();
      expect(last_success_at).toBe(latest);
    }
  });
});

function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40001';
}

function dispatchIn(hour = ''): DispatchRecord {
  const createdAt = `${hour}:10:00.123Z`;
  return { event: 'order.paid', payload: '{}', createdAt, target: { patterns: ['order.*'] } };
}

function resultOf(
  { id, claimToken, webhook }: ClaimedDelivery,
  status: AttemptRecord['status'],
): AttemptRecord {
  return {
    id,
    claimToken,
    status,
    statusCode: status === 'success' ? 200 : 500,
    responseBody: 'ok',
    error: '',
    attemptLog: [],
    activation: webhook.activation,
    now: Date.now(),
    retryInMs: 60_000,
  };
}
