import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from '../counters/count-changes.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect, WritableResult } from '../webhook-dialect.ts';
import { writtenResults } from './result-rows.ts';

/** The row that a result was written to. */
type CountedRow = Parameters<typeof writtenResults>[1][number] & {
  readonly created_at: string;
  /** Whether a run of failures is kept of its webhook that no success has ended. */
  readonly is_failing: number;
};

/**
 * Counts the results that ended a delivery, in the transaction that wrote them, and ends the runs
 * of failures that a success ends.
 */
export async function countResults(
  tables: Tables,
  dialect: WebhookDialect,
  results: readonly WritableResult[],
  rows: readonly CountedRow[],
) {
  const written = writtenResults(results, rows);
  const firstSuccess = new Map<number, string>();
  const changes = written.flatMap(({ webhookId, completedAt, result, row }): StatusChange[] => {
    const { status, activation } = result;
    if (status === 'pending') return [];
    // A result without a request says nothing of the recipient.
    const endedAt = activation === NO_ACTIVATION ? null : completedAt;
    if (Number(row.is_failing) === 1 && status === 'success' && endedAt !== null) {
      const first = firstSuccess.get(webhookId) ?? endedAt;
      firstSuccess.set(webhookId, first < endedAt ? first : endedAt);
    }
    return [{ webhookId, createdAt: row.created_at, to: status, completedAt: endedAt }];
  });
  await countChanges(tables, dialect, changes);
  for (const endedAt of new Set(firstSuccess.values())) {
    await tables
      .updateTable('webhook_failures')
      .set({ ended_at: endedAt })
      .where(
        'webhook_id',
        'in',
        [...firstSuccess.keys()].filter((webhookId) => firstSuccess.get(webhookId) === endedAt),
      )
      .where('failed', '>', 0)
      .where('ended_at', '=', '')
      .execute();
  }
  return written;
}
