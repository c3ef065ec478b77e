import type { AttemptReceipt, AttemptRecord } from '../../storage/delivery-requests.ts';
import type { ResultRules } from '../../storage/result-rules.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect, WritableResult } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { changesPause, pauseWebhooks } from './pause-webhooks.ts';
import { isRunEvent, recordRunEvents } from './run-events.ts';

/** The most results, and about the most bytes of them, that one statement writes. */
const MAX_RESULTS_PER_STATEMENT = 500;
const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/** Results of different deliveries, by delivery id. */
type Group = ReadonlyMap<number, WritableResult>;

/** By {@link claimOf}. */
type Receipts = Map<string, AttemptReceipt>;

/** A delivery and the claim under which it was attempted. */
const claimOf = ({ id, claimToken }: Pick<AttemptRecord, 'id' | 'claimToken'>) => `${claimToken} ${id}`;

/** Whether more follows from a result than its row and the counters. */
const saysMore = (result: WritableResult) => changesPause(result) || isRunEvent(result);

/** Writes all results of a call, or none. */
export async function recordAttempts(
  { dialect, write, writeAtOnce }: DatabaseAccess,
  records: readonly AttemptRecord[],
  rules: ResultRules,
): Promise<AttemptReceipt[]> {
  if (records.length === 0) return [];
  const results = resultsOf(records);
  const groups = groupsOf(results);
  const record = (tables: Tables) => recordGroups(tables, dialect, groups, rules);
  const isOneStatement = dialect.writesInWith && groups.length === 1 && !results.some(saysMore);
  const receipts = isOneStatement ? await writeAtOnce(record) : await write(record);
  return records.map((record) => receipts.get(claimOf(record)) ?? 'late');
}

async function recordGroups(
  tables: Tables,
  dialect: WebhookDialect,
  groups: readonly Group[],
  rules: ResultRules,
): Promise<Receipts> {
  const receipts: Receipts = new Map();
  for (const group of groups) {
    const unwritten = new Map(group);
    const results = [...group.values()];
    // Beside what writes runs itself, one pass over them ends some: in one order, others wait and none
    // deadlocks.
    const endsRuns = !results.some(isRunEvent);
    const written = await dialect.writeResults(tables, results, endsRuns);
    for (const { id, result } of written) {
      receipts.set(claimOf(result), 'recorded');
      unwritten.delete(id);
    }
    await pauseWebhooks(
      tables,
      dialect,
      written.map(({ result }) => result),
      rules.pauseAfter,
    );
    if (!endsRuns) await recordRunEvents(tables, dialect, written, rules.runAfter);
    if (unwritten.size > 0) await explainUnwritten(tables, unwritten, receipts);
  }
  return receipts;
}

/** Finds out why results were not written: usually few, and nearly always none. */
async function explainUnwritten(tables: Tables, unwritten: Group, receipts: Receipts): Promise<void> {
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'recorded_token'])
    .where('id', 'in', [...unwritten.keys()])
    .where(OF_NO_REMOVED_WEBHOOK)
    .execute();
  const tokens = new Map(rows.map((row) => [Number(row.id), row.recorded_token]));
  for (const result of unwritten.values()) {
    const token = tokens.get(result.id);
    const receipt = token === undefined ? 'gone' : token === result.claimToken ? 'recorded' : 'late';
    receipts.set(claimOf(result), receipt);
  }
}

/**
 * The first of two results for one claim counts. Results are in ascending order of id, in which a
 * removal locks deliveries. Writing them locks in that order too, unless a plan for a small table
 * joins in another; the resulting deadlock is tried again.
 */
function resultsOf(records: readonly AttemptRecord[]): WritableResult[] {
  const first = new Map<string, AttemptRecord>();
  for (const record of records) if (!first.has(claimOf(record))) first.set(claimOf(record), record);
  const results = [...first.values()].map((record) => ({
    ...record,
    attemptLog: JSON.stringify(record.attemptLog),
  }));
  return results.sort((a, b) => a.id - b.id);
}

/**
 * Groups results so that each delivery occurs once in a group: two claims of one delivery come one
 * after the other.
 */
function groupsOf(results: readonly WritableResult[]): Group[] {
  const groups: Group[] = [];
  let group = new Map<number, WritableResult>();
  let bytes = 0;
  for (const result of results) {
    // Up to three bytes for each character, in two copies of the recipient's answer.
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
