import { type AliasedRawBuilder, type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import { resultRows, timedResultRows, writtenResults } from '../../../src/kysely/results/result-rows.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { WritableResult } from '../../../src/kysely/webhook-dialect.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../../../src/storage/retry-priority.ts';
import { CLAIM, successOf } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

/** What would end a text, a statement or a JSON that was composed of it. */
const HOSTILE = `'";--\u0001\\ü`;

const RESULT: WritableResult = {
  ...successOf(Number.MAX_SAFE_INTEGER),
  responseBody: HOSTILE,
  error: 'http_500',
  attemptLog: JSON.stringify([HOSTILE]),
  activation: 7,
};
const GIVEN = {
  delivery: Number.MAX_SAFE_INTEGER,
  token: CLAIM.claimToken,
  new_status: 'success',
  new_status_code: 200,
  new_response_body: HOSTILE,
  new_error: 'http_500',
  new_attempt_log: JSON.stringify([HOSTILE]),
  new_activation: 7,
  deferral: 0,
};

async function rowsOf<Row>(db: Kysely<WebhookTables>, table: AliasedRawBuilder<Row, 'result'>) {
  return (await sql`select * from ${table}`.execute(db)).rows;
}

test('results are rows of a table as they were given, whatever their text', async () => {
  const db = await migratedSqlite();
  const table = resultRows(findDialect(db), [RESULT, { ...RESULT, retryInMs: 60_000 }]);
  expect(await rowsOf(db, table)).toEqual([
    { ...GIVEN, retry_in_ms: 0 },
    { ...GIVEN, retry_in_ms: 60_000 },
  ]);
});

test('a timed result has the time of its end, or those of its retry', async () => {
  const db = await migratedSqlite();
  const retry = { ...RESULT, status: 'pending' as const, retryInMs: 60_000 };
  const at = (ms: number) => new Date(CLAIM.now + ms).toISOString();
  expect(await rowsOf(db, timedResultRows(findDialect(db), [RESULT, retry]))).toEqual([
    { ...GIVEN, new_completed_at: at(0), new_next_attempt_at: null, new_priority_at: null },
    {
      ...GIVEN,
      new_status: 'pending',
      new_completed_at: null,
      new_next_attempt_at: at(60_000),
      new_priority_at: at(60_000 + RETRY_PRIORITY_DELAY_MS),
    },
  ]);
});

test('a written result has numbers, where the driver answers texts', () => {
  const row = { id: String(RESULT.id), webhook_id: '8', series_since: null, is_failing: '1' };
  // @ts-expect-error what a driver may answer
  expect(writtenResults([RESULT], [row], () => 'now')).toEqual([
    { id: RESULT.id, webhookId: 8, result: RESULT, at: 'now', isReopened: false, isFailing: true, row },
  ]);
});
