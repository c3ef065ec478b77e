import { timestampText } from '../clock.ts';
import type { AttemptRecord } from '../storage/storage.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks } from './remove-webhook.ts';
import type { Tables } from './tables.ts';

/** Writes the results in their order; the caller's transaction makes it all or nothing. */
export async function recordAttempts(tables: Tables, records: readonly AttemptRecord[]): Promise<boolean[]> {
  const accepted: boolean[] = [];
  for (const record of records) accepted.push(await recordAttempt(tables, record));
  return accepted;
}

async function recordAttempt(tables: Tables, record: AttemptRecord): Promise<boolean> {
  const isPending = record.status === 'pending';
  const { numUpdatedRows } = await tables
    .updateTable('webhook_deliveries')
    .set({
      status: record.status,
      status_code: record.statusCode,
      response_body: record.responseBody,
      error: record.error,
      attempt_log: JSON.stringify(record.attemptLog),
      next_attempt_at: isPending ? timestampText(record.now + record.retryInMs) : null,
      completed_at: isPending ? null : timestampText(record.now),
      claim_token: null,
      locked_until: null,
      lost_attempt: null,
    })
    .where('id', '=', record.id)
    .where('claim_token', '=', record.claimToken)
    .where('status', '=', PENDING)
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
