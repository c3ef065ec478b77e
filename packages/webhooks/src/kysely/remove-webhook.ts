import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { PENDING } from './pending.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

/** Deliveries that one transaction removes: what other writers, and this process, wait for at most. */
const MAX_ROWS_PER_TRANSACTION = 100;

/** The webhooks that are gone for everybody while some of their deliveries are still to be removed. */
export function removedWebhooks(tables: Tables) {
  // Written as text: a plan made before parameters are known can use the index on these rows alone.
  return tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_removed', '=', sql.lit(1));
}

type RemovedWebhooks = ReturnType<typeof removedWebhooks>;

/** Takes the webhook away from everybody in one step, and then its history, in steps that let others in between. */
export async function removeWebhook({ write }: TableAccess, id: number): Promise<boolean> {
  const isRemoved = await write((tables) => beginRemoval(tables, id));
  if (!isRemoved) return false;
  const removeBatch = () =>
    write((tables) =>
      removeRemains(tables, removedWebhooks(tables).where('webhooks.id', '=', id), MAX_ROWS_PER_TRANSACTION),
    );
  // Ends: nothing is ever written for a webhook that is removed.
  while ((await removeBatch()) === MAX_ROWS_PER_TRANSACTION) await nextTurn();
  return true;
}

async function beginRemoval(tables: Tables, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tables
    .updateTable('webhooks')
    .set({ is_removed: 1, is_active: 0, secret: '' })
    .where('id', '=', id)
    .where('is_removed', '=', 0)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tables.deleteFrom('webhook_patterns').where('webhook_id', '=', id).execute();
  return true;
}

/**
 * Removes at most `limit` deliveries of these removed webhooks, and the webhooks once fewer are left.
 *
 * @returns how many deliveries it removed
 */
export async function removeRemains(
  tables: Tables,
  webhooks: RemovedWebhooks,
  limit: number,
): Promise<number> {
  // Pending ones first: those that are due are in every claim's way.
  const pending = await removeSome(tables, remainsOf(tables, webhooks).where('status', '=', PENDING), limit);
  if (pending === limit) return limit;
  const ended = await removeSome(tables, remainsOf(tables, webhooks), limit - pending);
  if (pending + ended < limit) await tables.deleteFrom('webhooks').where('id', 'in', webhooks).execute();
  return pending + ended;
}

function remainsOf(tables: Tables, webhooks: RemovedWebhooks) {
  return tables.selectFrom('webhook_deliveries').select('id').where('webhook_id', 'in', webhooks);
}

async function removeSome(
  tables: Tables,
  remains: ReturnType<typeof remainsOf>,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tables
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', remains.limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
