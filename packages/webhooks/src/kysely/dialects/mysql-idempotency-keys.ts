import { sql } from 'kysely';
import { nameInSql } from '../names.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { memberOf } from './driver-error-member.ts';
import { insertingKeys } from './insert-idempotency-keys.ts';

/** ER_DUP_ENTRY. */
const DUPLICATE = 1062;

/**
 * Inserts the keys that do not exist yet. MySQL has no `returning`, and `insert ignore` would also
 * cut a key that is too long: existing keys are looked up first.
 *
 * @param failsWhenLocked fails where another transaction has locked one of the keys. A key taken
 *   between the lookup and the insert, by a transaction that then stays open, is waited for all
 *   the same: MySQL has no bound for one statement.
 */
export async function insertMysqlKeys(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
  failsWhenLocked: boolean,
): Promise<IdempotencyKeyTable[]> {
  const there = new Set((await findKeys(tables, keys, failsWhenLocked)).map(nameOf));
  const missing = keys.filter((key) => !there.has(nameOf(key)));
  if (missing.length === 0) return [];
  // Another writer may be faster with one of them: the statement, or the part of it that was done,
  // is undone.
  if (await isInserted(dialect, tables, missing)) return missing;
  const inserted: IdempotencyKeyTable[] = [];
  for (const key of missing) if (await isInserted(dialect, tables, [key])) inserted.push(key);
  return inserted;
}

function findKeys(tables: Tables, keys: readonly IdempotencyKeyTable[], failsWhenLocked: boolean) {
  return (
    tables
      // Or a table with few rows is read, and locked, whole.
      .selectFrom(
        nameInSql<IdempotencyKeyTable>('webhook_idempotency_keys').as<'found'>(
          sql.raw('found force index (primary)'),
        ),
      )
      .select(['event', 'key'])
      // A condition for each event, not for each key: most keys of a group are of one event.
      .where((either) =>
        either.or(
          [...keysByEvent(keys)].map(([event, ofEvent]) =>
            either.and([either('event', '=', event), either('key', 'in', ofEvent)]),
          ),
        ),
      )
      .modifyEnd(failsWhenLocked ? sql`for update nowait` : sql``)
      .execute()
  );
}

function keysByEvent(keys: readonly IdempotencyKeyTable[]): ReadonlyMap<string, readonly string[]> {
  const byEvent = new Map<string, string[]>();
  for (const { event, key } of keys) {
    const ofEvent = byEvent.get(event);
    if (ofEvent === undefined) byEvent.set(event, [key]);
    else ofEvent.push(key);
  }
  return byEvent;
}

async function isInserted(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
): Promise<boolean> {
  try {
    await insertingKeys(dialect, tables, keys).execute();
    return true;
  } catch (error) {
    if (memberOf(error, 'errno') === DUPLICATE) return false;
    throw error;
  }
}

function nameOf({ event, key }: Pick<IdempotencyKeyTable, 'event' | 'key'>): string {
  return `${event} ${key}`;
}
