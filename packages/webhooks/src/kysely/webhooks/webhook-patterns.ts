import type { Tables } from '../tables.ts';

/** The webhook whose patterns are written. */
type PatternOwner = { readonly id: number; readonly tenant: string };

/**
 * Inserts the new patterns before it deletes the old ones, and keeps those that stay. A transaction
 * that reads uncommitted rows, as a dispatch may on MySQL, so finds the webhook by its old
 * patterns, by its new ones, or by both.
 */
export async function changePatterns(
  tables: Tables,
  webhook: PatternOwner,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  await insertPatterns(
    tables,
    webhook,
    after.filter((pattern) => !before.includes(pattern)),
  );
  const gone = before.filter((pattern) => !after.includes(pattern));
  if (gone.length === 0) return;
  await tables
    .deleteFrom('webhook_patterns')
    .where('tenant', '=', webhook.tenant)
    .where('pattern', 'in', gone)
    .where('webhook_id', '=', Number(webhook.id))
    .execute();
}

/** The patterns that a dispatch matches, by webhook. */
export async function readPatterns(
  tables: Tables,
  webhookIds: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const found = new Map<number, string[]>();
  if (webhookIds.length === 0) return found;
  const rows = await tables
    .selectFrom('webhook_patterns')
    .select(['pattern', 'webhook_id'])
    .where('webhook_id', 'in', webhookIds)
    .execute();
  for (const { pattern, webhook_id } of rows) {
    const id = Number(webhook_id);
    found.set(id, [...(found.get(id) ?? []), pattern]);
  }
  return found;
}

export async function insertPatterns(
  tables: Tables,
  { id, tenant }: PatternOwner,
  events: readonly string[],
): Promise<void> {
  const rows = [...new Set(events)].map((pattern) => ({ tenant, pattern, webhook_id: Number(id) }));
  if (rows.length > 0) await tables.insertInto('webhook_patterns').values(rows).execute();
}
