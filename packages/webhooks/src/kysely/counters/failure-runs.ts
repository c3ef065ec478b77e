import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { FailureRun } from '../../storage/records.ts';
import { nameInSql } from '../names.ts';
import type { FailureTable, Tables } from '../tables.ts';
import { TOTAL } from './count-changes.ts';

const ACTIVITY = nameInSql('webhook_activity');

/** When a delivery of the webhook of a `run` last succeeded; '' before the first success. */
export const LAST_SUCCESS = sql<string>`coalesce((select max(total.last_success_at) from ${ACTIVITY} as total
  where total.webhook_id = run.webhook_id and total.hour = ${sql.lit(TOTAL)}), '')`;

/** Whether the `run` of a webhook with these activations goes on. */
export function isOngoing(activations: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(run.activation = ${activations} and run.since > ${LAST_SUCCESS})`;
}

/** The runs that go on. */
export async function readFailureRuns(
  tables: Tables,
  webhookIds: readonly number[],
): Promise<ReadonlyMap<number, FailureRun>> {
  const rows = await tables
    .selectFrom('webhook_failures as run')
    .innerJoin('webhooks', 'webhooks.id', 'run.webhook_id')
    .selectAll('run')
    .where('run.webhook_id', 'in', webhookIds)
    .where(isOngoing(sql.ref('webhooks.activations')))
    .execute();
  return new Map(rows.map((row) => [Number(row.webhook_id), failureRunOf(row)]));
}

export function failureRunOf(row: Selectable<FailureTable>): FailureRun {
  const { activation, failed, since, second_at: secondAt, last_at: lastAt, error } = row;
  return { activation: Number(activation), failed: Number(failed), since, secondAt, lastAt, error };
}
