import { type RawBuilder, sql } from 'kysely';
import type { DeliverySummary } from '../../storage/delivery-record.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { summariesOf } from './delivery-rows.ts';

/** Whether no claim leases a delivery. */
export function isUnleased(dialect: WebhookDialect, now: number): RawBuilder<boolean> {
  return sql<boolean>`(locked_until is null or locked_until <= ${dialect.timestamp(now)})`;
}

/** Ends pending deliveries as `failed`, which are locked and not leased, and returns them. */
export async function endPending(
  tables: Tables,
  ids: readonly number[],
  end: { readonly error: string; readonly completed_at: string },
): Promise<DeliverySummary[]> {
  const unleased = { claim_token: null, locked_until: null, next_attempt_at: null, priority_at: null };
  await tables
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', ...end, ...unleased })
    .where('id', 'in', ids)
    .execute();
  return summariesOf(tables, ids);
}
