import type { AttemptReceipt, AttemptRecord } from '../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from './activity.ts';
import type { AttemptResult, WebhookDialect } from './dialect.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { Tables } from './tables.ts';

/** Most results, and about as many bytes of theirs, that one statement writes. */
const MAX_RESULTS_PER_STATEMENT = 500;
const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/** Writes the results; the caller's transaction makes it all or nothing. */
export async function recordAttempts(
  tables: Tables,
  dialect: WebhookDialect,
  records: readonly AttemptRecord[],
): Promise<AttemptReceipt[]> {
  const results = new Map<string, AttemptResult>();
  for (const record of records) {
    const key = keyOf(record);
    // Of two results for one claim the first counts.
    if (!results.has(key)) results.set(key, { ...record, attemptLog: JSON.stringify(record.attemptLog) });
  }
  const receipts = new Map<string, AttemptReceipt>();
  const changes: StatusChange[] = [];
  for (const group of groupsOf([...results.values()])) {
    const unwritten = new Map(group);
    for (const written of await dialect.writeResults(tables, [...group.values()])) {
      const result = group.get(written.id);
      if (result === undefined) continue;
      unwritten.delete(result.id);
      receipts.set(keyOf(result), 'recorded');
      changes.push({ ...written, from: 'pending', to: result.status });
    }
    await explainUnwritten(tables, unwritten, receipts);
  }
  await countChanges(tables, dialect, changes);
  return records.map((record) => receipts.get(keyOf(record)) ?? 'late');
}

/** Says why results were not written: few as a rule, and none as nearly always. */
async function explainUnwritten(
  tables: Tables,
  unwritten: ReadonlyMap<number, AttemptResult>,
  receipts: Map<string, AttemptReceipt>,
): Promise<void> {
  if (unwritten.size === 0) return;
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'recorded_token'])
    .where('id', 'in', [...unwritten.keys()])
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .execute();
  const tokens = new Map(rows.map((row) => [Number(row.id), row.recorded_token]));
  for (const result of unwritten.values()) {
    const token = tokens.get(result.id);
    const receipt = token === undefined ? 'gone' : token === result.claimToken ? 'recorded' : 'late';
    receipts.set(keyOf(result), receipt);
  }
}

function keyOf({ id, claimToken }: { readonly id: number; readonly claimToken: string }): string {
  return `${id} ${claimToken}`;
}

/** By delivery: two claims of one delivery come one after the other. */
function groupsOf(results: readonly AttemptResult[]): Map<number, AttemptResult>[] {
  const groups: Map<number, AttemptResult>[] = [];
  let group = new Map<number, AttemptResult>();
  let bytes = 0;
  for (const result of results) {
    // Up to three bytes for each of two copies of what the recipient said.
    const size = 3 * (result.responseBody.length + result.attemptLog.length);
    const isFull = group.size >= MAX_RESULTS_PER_STATEMENT || bytes + size > MAX_BYTES_PER_STATEMENT;
    if (group.has(result.id) || (group.size > 0 && isFull)) {
      groups.push(group);
      group = new Map();
      bytes = 0;
    }
    group.set(result.id, result);
    bytes += size;
  }
  if (group.size > 0) groups.push(group);
  return groups;
}
