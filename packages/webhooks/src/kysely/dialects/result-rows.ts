import type { AliasedRawBuilder } from 'kysely';
import type { DeliveryStatus } from '../../storage/records.ts';
import type { AttemptResult, WebhookDialect, WrittenResult } from '../dialect.ts';

/** A result as a row of a statement. */
export interface ResultRow {
  readonly delivery: number;
  readonly token: string;
  readonly new_status: DeliveryStatus;
  readonly new_status_code: number;
  readonly new_response_body: string;
  readonly new_error: string;
  readonly new_attempt_log: string;
  readonly now_ms: number;
  readonly retry_in_ms: number;
}

/** A group of results as a table `result`: writing them is one statement, however many they are. */
export function resultRows(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  results: readonly AttemptResult[],
): AliasedRawBuilder<ResultRow, 'result'> {
  const rows = results.map((result) => ({
    delivery: result.id,
    token: result.claimToken,
    new_status: result.status,
    new_status_code: result.statusCode,
    new_response_body: result.responseBody,
    new_error: result.error,
    new_attempt_log: result.attemptLog,
    now_ms: result.now,
    retry_in_ms: result.retryInMs,
  }));
  return dialect.rowsOf(rows, 'result', {
    delivery: 'integer',
    token: 'text',
    new_status: 'text',
    new_status_code: 'integer',
    new_response_body: 'text',
    new_error: 'text',
    new_attempt_log: 'text',
    now_ms: 'integer',
    retry_in_ms: 'integer',
  });
}

/** What the database says of a row that a result was written to; drivers differ in what a number is. */
export function writtenResult(row: {
  readonly id: number;
  readonly webhook_id: number;
  readonly created_at: string;
  readonly completed_at: string | null;
}): WrittenResult {
  return {
    ...{ id: Number(row.id), webhookId: Number(row.webhook_id) },
    ...{ createdAt: row.created_at, completedAt: row.completed_at },
  };
}
