import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { type BusyAnswer, busyRunAfter, type FailedEnd, failureRunAfter } from '../../storage/failure-run.ts';
import { failureColumnsOf, failureRunOf, LAST_SUCCESS } from '../counters/failure-runs.ts';
import type { Tables } from '../tables.ts';
import type { AttemptResult, WebhookDialect } from '../webhook-dialect.ts';
import { pausesWebhook } from './pause-webhooks.ts';

/** Whether a result is one more failure of its webhook. */
export function isFailure({ status, activation }: AttemptResult): boolean {
  return status === 'failed' && activation !== NO_ACTIVATION;
}

/** The dialect of these changes. */
type RunDialect = Pick<WebhookDialect, 'ignoringWritten' | 'locks' | 'timestamp'>;

/**
 * Adds failures and busy answers to the runs of their webhooks, in the transaction that wrote the
 * results, and after their successes were counted.
 */
export async function addFailures(
  tables: Tables,
  dialect: RunDialect,
  written: readonly AttemptResult[],
): Promise<void> {
  const busy = written.filter((result) => pausesWebhook(result) && result.activation !== NO_ACTIVATION);
  const failed = new Map(written.filter(isFailure).map((result) => [result.id, result]));
  await addToRuns(tables, dialect, await endsOf(tables, failed), busy);
}

/** Runs are locked in ascending order of their webhooks. */
export async function addToRuns(
  tables: Tables,
  dialect: RunDialect,
  byWebhook: ReadonlyMap<number, readonly FailedEnd[]>,
  busy: readonly AttemptResult[] = [],
): Promise<void> {
  const busyIds = busy.map(({ deferral }) => deferral?.webhookId ?? 0);
  const ids = [...new Set([...byWebhook.keys(), ...busyIds])].sort((a, b) => a - b);
  if (ids.length === 0) return;
  const rows = ids.map((webhook_id) => ({ webhook_id }));
  await dialect.ignoringWritten(tables.insertInto('webhook_failures').values(rows), 'webhook_id').execute();
  const runs = await tables
    .selectFrom('webhook_failures as run')
    .selectAll('run')
    .select([LAST_SUCCESS.as('last_success_at'), dialect.timestamp(busy[0]?.now ?? 0).as('present')])
    .where('run.webhook_id', 'in', ids)
    .orderBy('run.webhook_id')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  for (const row of runs) {
    const before = failureRunOf(row);
    const webhookId = Number(row.webhook_id);
    let run = failureRunAfter(before, byWebhook.get(webhookId) ?? [], row.last_success_at);
    for (const { activation, deferral, resumed } of busy) {
      if (deferral?.webhookId !== webhookId) continue;
      const answer: BusyAnswer = { activation, at: row.present, isAgain: resumed !== undefined };
      run = busyRunAfter(run, answer, row.last_success_at);
    }
    if (run === before) continue;
    await tables
      .updateTable('webhook_failures')
      .set(failureColumnsOf(run))
      .where('webhook_id', '=', row.webhook_id)
      .execute();
  }
}

/** The failures by webhook, each with the time that the database gave its end. */
export async function endsOf(
  tables: Tables,
  failed: ReadonlyMap<number, Pick<FailedEnd, 'activation' | 'error'>>,
): Promise<ReadonlyMap<number, FailedEnd[]>> {
  const byWebhook = new Map<number, FailedEnd[]>();
  if (failed.size === 0) return byWebhook;
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'completed_at'])
    .where('id', 'in', [...failed.keys()])
    // What was sent again says nothing new: a recovery's failures would be the next outage.
    .where('series_since', 'is', null)
    .orderBy('completed_at')
    .orderBy('id')
    .execute();
  for (const { id, webhook_id, completed_at } of rows) {
    const { activation = NO_ACTIVATION, error = '' } = failed.get(Number(id)) ?? {};
    const webhookId = Number(webhook_id);
    const ofWebhook = byWebhook.get(webhookId) ?? [];
    byWebhook.set(webhookId, [...ofWebhook, { activation, error, completedAt: completed_at ?? '' }]);
  }
  return byWebhook;
}
