import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from '../counters/count-changes.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect, WrittenResult } from '../webhook-dialect.ts';

/**
 * Counts the results that ended a delivery, in the transaction that wrote them, and ends the runs
 * of failures that a success ends, unless the caller does.
 */
export async function countResults(
  tables: Tables,
  dialect: WebhookDialect,
  written: readonly (WrittenResult & { readonly row: { readonly created_at: string } })[],
  endsRuns: boolean,
): Promise<void> {
  const changes = written.flatMap(
    ({ webhookId, at, result: { status, activation }, row }): StatusChange[] => {
      if (status === 'pending') return [];
      // A result without a request says nothing of the recipient.
      const completedAt = activation === NO_ACTIVATION ? null : at;
      return [{ webhookId, createdAt: row.created_at, to: status, completedAt }];
    },
  );
  await countChanges(tables, dialect, changes);
  if (!endsRuns) return;
  const ending = written.filter(
    ({ isFailing, result: { status, activation } }) =>
      isFailing && status === 'success' && activation !== NO_ACTIVATION,
  );
  // The first success after its beginning ends a run: one that came late may be older.
  for (const endedAt of [...new Set(ending.map(({ at }) => at))].sort()) {
    const ids = ending.filter(({ at }) => at === endedAt).map(({ webhookId }) => webhookId);
    await tables
      .updateTable('webhook_failures')
      .set({ ended_at: endedAt })
      .where('webhook_id', 'in', ids)
      .where('failed', '>', 0)
      .where('ended_at', '=', '')
      .where('since', '<=', endedAt)
      .execute();
  }
}
