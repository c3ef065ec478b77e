import { type KyselyPlugin, type RawBuilder, RawNode, sql } from 'kysely';
import type { KeyName } from '../dispatch/keyed-dispatch.ts';
import { nameInSql } from '../names.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

const COLUMNS = ['tenant', 'event', 'key', 'created_at', 'dispatch_id'] as const;

/** How long our own transactions on PostgreSQL wait for a key that another one writes. */
export const KEY_WAIT = sql<string>`set_config('lock_timeout', '50ms', true)`;

/** Writes keys in one statement, where `insert` has a `returning`. */
export async function insertKeys(
  dialect: WebhookDialect,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
): Promise<string[]> {
  const rows = await insertingKeys(dialect, tables, keys).returning('dispatch_id').execute();
  return rows.map(({ dispatch_id }) => dispatch_id);
}

/**
 * The bound that MariaDB has for the lock waits of one statement, in a comment that MySQL skips. It
 * stands before the statement, where Kysely writes a `with`.
 */
const WITHOUT_WAIT: KyselyPlugin = {
  transformQuery: ({ node }) => Object.assign({}, node, { with: NO_LOCK_WAIT }),
  transformResult: async ({ result }) => result,
};
const NO_LOCK_WAIT = RawNode.createWithSql('/*M! set statement innodb_lock_wait_timeout = 0 for */');

/**
 * Writes keys, and reads which of them name their dispatch. MySQL has no bound of the wait for one
 * statement. So where a locked key must be an error, the keys are locked first: one that another
 * transaction writes in between is waited for on MySQL all the same.
 */
export async function insertMysqlKeys(
  dialect: WebhookDialect,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
  failsWhenLocked: boolean,
): Promise<string[]> {
  // Or a table with few rows is read, and locked, whole.
  const byKey = sql.raw('found force index (primary)');
  const found = tables
    .selectFrom(nameInSql<IdempotencyKeyTable>('webhook_idempotency_keys').as<'found'>(byKey))
    .select('dispatch_id')
    .where(areKeys(keys));
  const insertion = insertingKeys(dialect, tables, keys);
  const there = failsWhenLocked ? await found.modifyEnd(sql`for update nowait`).execute() : [];
  await (failsWhenLocked ? insertion.withPlugin(WITHOUT_WAIT) : insertion).execute();
  const isKnown = new Set(there.map(({ dispatch_id }) => dispatch_id));
  const wanted = new Set(keys.map(({ dispatch_id }) => dispatch_id).filter((id) => !isKnown.has(id)));
  const rows = await found.execute();
  return rows.map(({ dispatch_id }) => dispatch_id).filter((id) => wanted.has(id));
}

/** An insert of the keys that are not there yet. */
function insertingKeys(
  dialect: Pick<WebhookDialect, 'rowsOf' | 'ignoringWritten'>,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
) {
  const rows = dialect.rowsOf(keys, 'listed_key', {
    tenant: 'text',
    event: 'text',
    key: 'text',
    created_at: 'text',
    dispatch_id: 'text',
  });
  return dialect.ignoringWritten(
    tables
      .insertInto('webhook_idempotency_keys')
      .columns(COLUMNS)
      .expression((select) => select.selectFrom(rows).select(COLUMNS).where(sql.lit(true))),
  );
}

/** A condition for each tenant and event, not for each key: a group has few of them. */
export function areKeys(keys: readonly KeyName[]): RawBuilder<boolean> {
  const byEvent = new Map<string, { readonly tenant: string; readonly event: string; keys: string[] }>();
  for (const { tenant, event, key } of keys) {
    const name = `${event} ${tenant}`;
    const known = byEvent.get(name) ?? { tenant, event, keys: [] };
    known.keys.push(key);
    byEvent.set(name, known);
  }
  const conditions = [...byEvent.values()].map(
    (of) =>
      sql`(tenant = ${of.tenant} and event = ${of.event} and ${sql.ref('key')} in (${sql.join(of.keys)}))`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}
