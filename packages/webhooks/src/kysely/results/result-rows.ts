import { type AliasedRawBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import { timestampText } from '../../clock.ts';
import type { DeliveryStatus } from '../../storage/delivery-record.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import { nameInSql } from '../names.ts';
import { derived, type Given } from '../places.ts';
import type { DeliveryTable } from '../tables.ts';
import type { WebhookDialect, WritableResult, WrittenResult } from '../webhook-dialect.ts';

/** The columns of a result that every database writes unchanged. */
interface GivenColumns {
  readonly delivery: number;
  readonly token: string;
  readonly new_status: DeliveryStatus;
  readonly new_status_code: number;
  readonly new_response_body: string;
  readonly new_error: string;
  readonly new_attempt_log: string;
  readonly new_activation: number;
  readonly deferral: 0 | 1;
}

/** A result as a row of a statement, where the database's clock sets the times. */
export interface ResultRow extends GivenColumns {
  readonly retry_in_ms: number;
}

/** A result as a row of a statement, where the runner's clock sets the times. */
export interface TimedResultRow extends GivenColumns {
  readonly new_completed_at: string | null;
  readonly new_next_attempt_at: string | null;
  readonly new_priority_at: string | null;
}

const GIVEN_COLUMNS = {
  delivery: 'integer',
  token: 'text',
  new_status: 'text',
  new_status_code: 'integer',
  new_response_body: 'text',
  new_error: 'text',
  new_attempt_log: 'text',
  new_activation: 'integer',
  deferral: 'integer',
} as const;

/**
 * The columns that a result sets on every database, over the rows of {@link resultRows} or {@link
 * timedResultRows}.
 */
export const RESULT_VALUES = {
  status: sql<DeliveryStatus>`new_status`,
  status_code: sql<number>`new_status_code`,
  response_body: sql<string>`new_response_body`,
  error: sql<string>`new_error`,
  attempt_log: sql<string>`new_attempt_log`,
  recorded_token: sql<string>`token`,
  claim_token: null,
  locked_until: null,
  deferrals: sql<number>`deferrals + deferral`,
};

/** A group of results as a table `result`: one statement writes them, whatever their number. */
export function resultRows(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  results: Given<readonly WritableResult[]>,
): AliasedRawBuilder<ResultRow, 'result'> {
  const rows = derived([results], (all) =>
    all.map((result) => Object.assign(givenColumns(result), { retry_in_ms: result.retryInMs })),
  );
  return dialect.rowsOf(rows, 'result', { ...GIVEN_COLUMNS, retry_in_ms: 'integer' });
}

/** The same, with the times that follow from the results. */
export function timedResultRows(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  results: Given<readonly WritableResult[]>,
): AliasedRawBuilder<TimedResultRow, 'result'> {
  const rows = derived([results], (all) =>
    all.map((result) => {
      const nextAt = result.now + result.retryInMs;
      const isPending = result.status === 'pending';
      return Object.assign(givenColumns(result), {
        new_completed_at: isPending ? null : timestampText(result.now),
        new_next_attempt_at: isPending ? timestampText(nextAt) : null,
        new_priority_at: isPending ? timestampText(nextAt + RETRY_PRIORITY_DELAY_MS) : null,
      });
    }),
  );
  return dialect.rowsOf(rows, 'result', {
    ...GIVEN_COLUMNS,
    new_completed_at: 'text',
    new_next_attempt_at: 'text',
    new_priority_at: 'text',
  });
}

/**
 * For `Object.assign` to add to: spreading it beside further members takes 2 µs, a fiftieth of a
 * delivery.
 */
function givenColumns(result: WritableResult): GivenColumns {
  return {
    delivery: result.id,
    token: result.claimToken,
    new_status: result.status,
    new_status_code: result.statusCode,
    new_response_body: result.responseBody,
    new_error: result.error,
    new_attempt_log: result.attemptLog,
    new_activation: result.activation,
    deferral: result.deferral === undefined ? 0 : 1,
  };
}

/** Whether a webhook has a run of failures that no success has ended: one probe. */
export function isFailing(webhookId: RawBuilder<unknown>): AliasedRawBuilder<number, 'is_failing'> {
  return sql<number>`case when exists (select 1 from ${nameInSql('webhook_failures')} as run
    where run.webhook_id = ${webhookId} and run.failed > 0 and run.ended_at = '') then 1 else 0 end`.as(
    'is_failing',
  );
}

export const IS_FAILING = isFailing(sql`${nameInSql('webhook_deliveries')}.webhook_id`);

/** What a statement returns of the rows that results were written to. */
export interface WrittenRow extends Pick<Selectable<DeliveryTable>, 'id' | 'webhook_id' | 'series_since'> {
  readonly is_failing: number;
}

/** Each row with its result; drivers differ in the type of a number. */
export function writtenResults<Row extends WrittenRow>(
  results: readonly WritableResult[],
  rows: readonly Row[],
  timeOf: (result: WritableResult, row: Row) => string,
): (WrittenResult & { readonly row: Row })[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return rows.flatMap((row) => {
    const id = Number(row.id);
    const result = byId.get(id);
    if (result === undefined) return [];
    const isFailing = Number(row.is_failing) === 1;
    const of = { id, webhookId: Number(row.webhook_id), result, row };
    return [{ ...of, at: timeOf(result, row), isReopened: row.series_since !== null, isFailing }];
  });
}
