import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { NO_RUN } from '../../storage/failure-run.ts';
import type { FailureRun } from '../../storage/overview-record.ts';
import type { OverviewQuery } from '../../storage/webhook-requests.ts';
import { TOTAL } from '../counters/count-changes.ts';
import { nameInSql } from '../names.ts';
import type { FailureTable } from '../recipient-tables.ts';
import type { Tables } from '../tables.ts';

const ACTIVITY = nameInSql('webhook_activity');

/** When a delivery of the webhook of a `run` last succeeded; '' before the first success. */
export const LAST_SUCCESS = sql<string>`coalesce((select max(total.last_success_at) from ${ACTIVITY} as total
  where total.webhook_id = run.webhook_id and total.hour = ${sql.lit(TOTAL)}), '')`;

/** Whether a `run` is of the webhook's present activation, and began after its last success. */
export function hasBegun(
  column: 'since' | 'busy_since',
  activations: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(run.activation = ${activations} and run.${sql.raw(column)} > ${LAST_SUCCESS})`;
}

/** The runs that go on, and those whose deliveries are being reopened. */
export async function readFailureRuns(
  tables: Tables,
  webhookIds: readonly number[],
  shown: NonNullable<OverviewQuery['failureRun']>,
): Promise<ReadonlyMap<number, FailureRun>> {
  const rows = await tables
    .selectFrom('webhook_failures as run')
    .innerJoin('webhooks', 'webhooks.id', 'run.webhook_id')
    .selectAll('run')
    .select(['webhooks.activations', LAST_SUCCESS.as('last_success_at')])
    .where('run.webhook_id', 'in', webhookIds)
    .execute();
  return new Map(
    rows.flatMap((row): [number, FailureRun][] => {
      const run = shown(failureRunOf(row), Number(row.activations), row.last_success_at);
      return run === null ? [] : [[Number(row.webhook_id), run]];
    }),
  );
}

/** Drivers differ in the type of a number. */
export function failureRunOf(row: Selectable<FailureTable>): FailureRun {
  return {
    ...NO_RUN,
    ...restOf(row.rest),
    activation: Number(row.activation),
    failed: Number(row.failed),
    since: row.since,
    lastAt: row.last_at,
    endedAt: row.ended_at,
    busySince: row.busy_since,
    busyAgainAt: row.busy_again_at,
  };
}

/** Text that somebody else wrote is no reason to fail every result: of it, the members that fit are kept. */
function restOf(text: string): object {
  try {
    const given: ReadonlyMap<string, unknown> = new Map(Object.entries(Object(JSON.parse(text))));
    const fitting = Object.entries(NO_RUN).filter(([name, value]) => typeof given.get(name) === typeof value);
    return Object.fromEntries(fitting.map(([name]) => [name, given.get(name)]));
  } catch {
    return {};
  }
}

/** A run as a row. */
export function failureRowOf(webhookId: number, run: FailureRun): Insertable<FailureTable> {
  const { activation, failed, since, lastAt, endedAt, busySince, busyAgainAt, ...rest } = run;
  return {
    webhook_id: webhookId,
    activation,
    failed,
    since,
    last_at: lastAt,
    ended_at: endedAt,
    busy_since: busySince,
    busy_again_at: busyAgainAt,
    rest: JSON.stringify(rest),
  };
}
