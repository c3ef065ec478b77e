import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebhookDialect } from './dialect.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

/** Deliveries that one transaction removes: what other writers, and this process, wait for at most. */
const MAX_ROWS_PER_TRANSACTION = 100;

type RemovedWebhooks = ReturnType<typeof removedWebhooks>;

/** Takes the webhook away from everybody in one step, and then its history, in steps that let others in between. */
export async function removeWebhook({ write, dialect }: TableAccess, id: number): Promise<boolean> {
  const isRemoved = await write((tables) => beginRemoval(tables, id));
  if (!isRemoved) return false;
  const removeBatch = () =>
    write((tables) => {
      // Locked first, as the purge does: it then waits for whoever holds the webhook with no delivery in its hands.
      const webhook = removedWebhooks(tables).where('webhooks.id', '=', id).modifyEnd(dialect.locks.rows);
      return removeRemains(tables, dialect, webhook, MAX_ROWS_PER_TRANSACTION);
    });
  // Ends: nothing is ever written for a webhook that is removed.
  while ((await removeBatch()) === MAX_ROWS_PER_TRANSACTION) await nextTurn();
  return true;
}

async function beginRemoval(tables: Tables, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tables
    .updateTable('webhooks')
    .set({ is_removed: 1, is_active: 0, secret: '', previous_secret: null })
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
  dialect: WebhookDialect,
  webhooks: RemovedWebhooks,
  limit: number,
): Promise<number> {
  const ids = (await webhooks.execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  // Pending ones first: those that are due are in every claim's way.
  const pending = await removeSome(
    tables,
    dialect,
    remainsOf(tables, ids).where('status', '=', PENDING),
    limit,
  );
  if (pending === limit) return limit;
  const ended = await removeSome(tables, dialect, remainsOf(tables, ids), limit - pending);
  if (pending + ended < limit) {
    // In this order: once the webhooks are gone nobody counts anything of theirs any more.
    await tables.deleteFrom('webhooks').where('id', 'in', ids).execute();
    await tables.deleteFrom('webhook_activity').where('webhook_id', 'in', ids).execute();
  }
  return pending + ended;
}

function remainsOf(tables: Tables, webhookIds: readonly number[]) {
  return tables.selectFrom('webhook_deliveries').select('id').where('webhook_id', 'in', webhookIds);
}

async function removeSome(
  tables: Tables,
  dialect: WebhookDialect,
  remains: ReturnType<typeof remainsOf>,
  limit: number,
): Promise<number> {
  const rows = await remains.limit(limit).modifyEnd(dialect.locks.rows).execute();
  if (rows.length === 0) return 0;
  await tables
    .deleteFrom('webhook_deliveries')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.length;
}
