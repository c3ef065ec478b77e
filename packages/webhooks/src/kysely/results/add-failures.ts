import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { type FailedEnd, failureRunAfter } from '../../storage/failure-run.ts';
import { failureColumnsOf, failureRunOf, LAST_SUCCESS } from '../counters/failure-runs.ts';
import type { Tables } from '../tables.ts';
import type { AttemptResult, WebhookDialect } from '../webhook-dialect.ts';

/** Whether a result is one more failure of its webhook. */
export function isFailure({ status, activation }: AttemptResult): boolean {
  return status === 'failed' && activation !== NO_ACTIVATION;
}

/**
 * Adds failures to the runs of their webhooks, in the transaction that wrote the results, and after
 * their successes were counted. Runs are locked in ascending order of their webhooks.
 */
export async function addFailures(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'ignoringWritten' | 'locks'>,
  written: readonly AttemptResult[],
): Promise<void> {
  const byWebhook = await failuresOf(tables, written.filter(isFailure));
  if (byWebhook.size === 0) return;
  const ids = [...byWebhook.keys()].sort((a, b) => a - b);
  const rows = ids.map((webhook_id) => ({ webhook_id }));
  await dialect.ignoringWritten(tables.insertInto('webhook_failures').values(rows), 'webhook_id').execute();
  const runs = await tables
    .selectFrom('webhook_failures as run')
    .selectAll('run')
    .select(LAST_SUCCESS.as('last_success_at'))
    .where('run.webhook_id', 'in', ids)
    .orderBy('run.webhook_id')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  for (const row of runs) {
    const before = failureRunOf(row);
    const run = failureRunAfter(before, byWebhook.get(Number(row.webhook_id)) ?? [], row.last_success_at);
    if (run === before) continue;
    await tables
      .updateTable('webhook_failures')
      .set(failureColumnsOf(run))
      .where('webhook_id', '=', row.webhook_id)
      .execute();
  }
}

/** The failures by webhook, each with the time that the database gave its end. */
async function failuresOf(
  tables: Tables,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<number, FailedEnd[]>> {
  const byWebhook = new Map<number, FailedEnd[]>();
  if (results.length === 0) return byWebhook;
  const byId = new Map(results.map((result) => [result.id, result]));
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'completed_at'])
    .where('id', 'in', [...byId.keys()])
    // What was sent again says nothing new: a recovery's failures would be the next outage.
    .where('series_start', '=', 0)
    .orderBy('completed_at')
    .orderBy('id')
    .execute();
  for (const { id, webhook_id, completed_at } of rows) {
    const { activation = NO_ACTIVATION, error = '' } = byId.get(Number(id)) ?? {};
    const webhookId = Number(webhook_id);
    const ofWebhook = byWebhook.get(webhookId) ?? [];
    byWebhook.set(webhookId, [...ofWebhook, { activation, error, completedAt: completed_at ?? '' }]);
  }
  return byWebhook;
}
