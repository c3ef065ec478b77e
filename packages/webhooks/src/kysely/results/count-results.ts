import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from '../counters/count-changes.ts';
import type { Tables } from '../tables.ts';
import type { AttemptResult, WebhookDialect, WrittenResult } from '../webhook-dialect.ts';

/** Counts the results that ended a delivery, in the transaction that wrote them. */
export function countResults(
  tables: Tables,
  dialect: WebhookDialect,
  results: readonly AttemptResult[],
  written: readonly WrittenResult[],
): Promise<void> {
  const byId = new Map(results.map((result) => [result.id, result]));
  const changes = written.flatMap(({ id, webhookId, createdAt, completedAt }): StatusChange[] => {
    const result = byId.get(id);
    if (result === undefined || result.status === 'pending') return [];
    // A result without a request says nothing of the recipient.
    const endedAt = result.activation === NO_ACTIVATION ? null : completedAt;
    return [{ webhookId, createdAt, to: result.status, completedAt: endedAt }];
  });
  return countChanges(tables, dialect, changes);
}
