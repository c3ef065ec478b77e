import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from '../counters/count-changes.ts';
import { LAST_SUCCESS } from '../counters/failure-runs.ts';
import type { Tables } from '../tables.ts';
import type { AttemptResult, WebhookDialect, WrittenResult } from '../webhook-dialect.ts';

/**
 * Counts the results that ended a delivery, in the transaction that wrote them, and ends the runs
 * of failures that a success ends.
 */
export async function countResults(
  tables: Tables,
  dialect: WebhookDialect,
  results: readonly AttemptResult[],
  written: readonly WrittenResult[],
): Promise<void> {
  const byId = new Map(results.map((result) => [result.id, result]));
  const ended = new Set<number>();
  const changes = written.flatMap((row): StatusChange[] => {
    const { id, webhookId, createdAt, completedAt } = row;
    const result = byId.get(id);
    if (result === undefined || result.status === 'pending') return [];
    // A result without a request says nothing of the recipient.
    const endedAt = result.activation === NO_ACTIVATION ? null : completedAt;
    if (row.isFailing && result.status === 'success' && endedAt !== null) ended.add(webhookId);
    return [{ webhookId, createdAt, to: result.status, completedAt: endedAt }];
  });
  await countChanges(tables, dialect, changes);
  if (ended.size === 0) return;
  await tables
    .updateTable('webhook_failures as run')
    .set({ ended_at: LAST_SUCCESS })
    .where('webhook_id', 'in', [...ended])
    .where('failed', '>', 0)
    .where('ended_at', '=', '')
    .execute();
}
