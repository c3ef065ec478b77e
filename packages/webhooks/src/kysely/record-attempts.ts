import type { AttemptReceipt, AttemptRecord } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { countChanges, type StatusChange } from './activity.ts';
import { type ByClaim, createByClaim } from './by-claim.ts';
import type { AttemptResult, WebhookDialect } from './dialect.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

/** Most results, and about as many bytes of theirs, that one statement writes. */
const MAX_RESULTS_PER_STATEMENT = 500;
const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/** Results of different deliveries, by their ids. */
type Group = ReadonlyMap<number, AttemptResult>;

/** How many groups go straight to a transaction after one that the session was not fit to write alone. */
const GROUPS_PAST_REFUSAL = 31;

/** Writes results, all or none of a call's, in one statement where the database can. */
export function createRecording(access: TableAccess): WebhookStorage['recordAttempts'] {
  const { dialect, read, write, writeAlone } = access;
  const { recordAlone } = dialect;
  /** How many more groups need not try. */
  let refused = 0;

  /** @returns undefined where nothing was written: a transaction is needed */
  async function tryAlone(groups: readonly Group[]): Promise<Receipts | undefined> {
    const [group] = groups;
    if (recordAlone === undefined || group === undefined || groups.length > 1) return undefined;
    if (refused > 0) {
      refused -= 1;
      return undefined;
    }
    const written = await writeAlone((connection) => recordAlone(connection, [...group.values()]));
    if (written === undefined) {
      refused = GROUPS_PAST_REFUSAL;
      return undefined;
    }
    const receipts: Receipts = createByClaim();
    const unwritten = confirm(group, written, receipts);
    if (unwritten.size > 0) await read((tables) => explainUnwritten(tables, unwritten, receipts));
    return receipts;
  }

  return async (records) => {
    if (records.length === 0) return [];
    const groups = groupsOf(resultsOf(records));
    const receipts =
      (await tryAlone(groups)) ?? (await write((tables) => recordGroups(tables, dialect, groups)));
    return records.map((record) => receipts.get(record) ?? 'late');
  };
}

type Receipts = ByClaim<AttemptReceipt>;

/** The caller's transaction makes it all or nothing. */
async function recordGroups(
  tables: Tables,
  dialect: WebhookDialect,
  groups: readonly Group[],
): Promise<Receipts> {
  const receipts: Receipts = createByClaim();
  const changes: StatusChange[] = [];
  for (const group of groups) {
    const written = await dialect.writeResults(tables, [...group.values()]);
    const ids = written.map(({ id }) => id);
    const unwritten = confirm(group, ids, receipts);
    for (const { id, webhookId, createdAt, completedAt } of written) {
      const to = group.get(id)?.status;
      if (to !== undefined) changes.push({ webhookId, createdAt, from: 'pending', to, completedAt });
    }
    if (unwritten.size > 0) await explainUnwritten(tables, unwritten, receipts);
  }
  await countChanges(tables, dialect, changes);
  return receipts;
}

/** What was written is recorded. Answers the rest, of which it is not known yet. */
function confirm(group: Group, written: readonly number[], receipts: Receipts): Group {
  const unwritten = new Map(group);
  for (const id of written) {
    const result = group.get(id);
    if (result === undefined) continue;
    unwritten.delete(id);
    receipts.set(result, 'recorded');
  }
  return unwritten;
}

/** Says why results were not written: few as a rule, and none as nearly always. */
async function explainUnwritten(tables: Tables, unwritten: Group, receipts: Receipts): Promise<void> {
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
    receipts.set(result, receipt);
  }
}

/**
 * Of two results for one claim the first counts. In ascending order of id, in which a removal locks deliveries: so does writing
 * them, unless a plan for a small table joins in another order; a deadlock is then tried again.
 */
function resultsOf(records: readonly AttemptRecord[]): AttemptResult[] {
  const seen = createByClaim<true>();
  const results: AttemptResult[] = [];
  for (const record of records) {
    if (seen.get(record)) continue;
    seen.set(record, true);
    results.push({ ...record, attemptLog: JSON.stringify(record.attemptLog) });
  }
  return results.sort((a, b) => a.id - b.id);
}

/** By delivery: two claims of one delivery come one after the other. */
function groupsOf(results: readonly AttemptResult[]): Group[] {
  const groups: Group[] = [];
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
