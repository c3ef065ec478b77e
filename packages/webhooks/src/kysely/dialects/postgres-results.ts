import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { RETRY_TURN_DELAY_MS } from '../../storage/turn.ts';
import type { AttemptResult, WebhookDialect } from '../dialect.ts';
import { removedWebhooks } from '../removed-webhooks.ts';
import { type Tables, tablesOf } from '../tables.ts';
import { ADDING } from './add-to-activity.ts';
import { timestampAfter } from './postgres-timestamp.ts';
import { RESULT_VALUES, resultRows } from './result-rows.ts';

const SET_BY_RESULT = {
  ...RESULT_VALUES,
  next_attempt_at: ifPending(timestampAfter(sql`retry_in_ms`)),
  turn_at: ifPending(timestampAfter(sql`retry_in_ms + ${sql.lit(RETRY_TURN_DELAY_MS)}`)),
  completed_at: sql<string | null>`case when new_status <> 'pending' then ${timestampAfter(sql`0`)} end`,
};

/** Writes each result whose claim still holds. */
export function updateByResults(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  results: readonly AttemptResult[],
) {
  return (
    tables
      .updateTable('webhook_deliveries')
      .from(resultRows(dialect, results))
      .set(SET_BY_RESULT)
      .whereRef('webhook_deliveries.id', '=', 'result.delivery')
      .whereRef('webhook_deliveries.claim_token', '=', 'result.token')
      // Whatever has a token is pending; saying so would suggest an index of all that is.
      .where('webhook_deliveries.webhook_id', 'not in', removedWebhooks(tables))
      .returning(['webhook_deliveries.id', 'webhook_id', 'created_at', 'status', 'completed_at'])
  );
}

/**
 * The results and what they change of the counters as one statement: the deliveries first, then the counters, locked in the
 * order of their key.
 *
 * Writes nothing where the host's default isolation is another one: the storage's is for a transaction to say.
 */
export async function recordAlonePostgres(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  connection: QueryExecutorProvider,
  results: readonly AttemptResult[],
): Promise<number[] | undefined> {
  const isFit = sql<boolean>`(select is_fit from session)`;
  const { rows } = await sql<{ is_fit: boolean; id: number | null }>`
    with session as (select current_setting('transaction_isolation') = 'read committed' as is_fit),
    written as (${updateByResults(dialect, tablesOf(connection), results).where(isFit)}),
    ended as (
      select webhook_id, hour,
        count(*) filter (where status = 'success') as success,
        count(*) filter (where status = 'failed') as failed,
        coalesce(max(completed_at) filter (where status = 'success' and hour = ''), '') as last_success_at
      from written cross join lateral (values (''), (substr(created_at, 1, 13))) as counter(hour)
      where status <> 'pending'
      group by webhook_id, hour),
    counted as (
      insert into webhook_activity (webhook_id, hour, success, failed, pending, last_success_at)
      select webhook_id, hour, success, failed, - success - failed, last_success_at
      from ended
      order by webhook_id, hour
      ${ADDING})
    select is_fit, id from session left join written on true`.execute(connection);
  if (rows[0]?.is_fit !== true) return undefined;
  return rows.flatMap(({ id }) => (id === null ? [] : [Number(id)]));
}

function ifPending(time: RawBuilder<string>): RawBuilder<string | null> {
  return sql<string | null>`case when new_status = 'pending' then ${time} end`;
}
