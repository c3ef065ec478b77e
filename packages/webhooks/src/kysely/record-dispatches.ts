import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DispatchReceipt, DispatchRecord } from '../storage/storage.ts';
import type { WebhookDialect } from './dialect.ts';
import { PENDING } from './pending.ts';
import type { Tables } from './tables.ts';

/** Most deliveries that one statement writes: what holds up the process between two turns of its event loop. */
const MAX_ROWS_PER_STATEMENT = 500;

/** Most bytes of payload that one statement writes, one row at the least: each row holds its own copy. */
const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/** Writes the dispatches in their order; the caller's transaction makes it all or nothing. */
export async function recordDispatches(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
): Promise<DispatchReceipt[]> {
  const receipts: DispatchReceipt[] = [];
  let rowsInTurn = 0;
  for (const dispatch of dispatches) {
    const repeated = dispatch.idempotencyKey !== undefined && !(await claimKey(tables, dispatch));
    const deliveryIds = repeated ? [] : await insertDeliveries(tables, dialect, dispatch);
    receipts.push({ deliveryIds, repeated });
    rowsInTurn += deliveryIds.length;
    // SQLite drivers answer at once: without this, a large group would hold up everything else in the process.
    if (rowsInTurn >= MAX_ROWS_PER_STATEMENT) {
      await nextTurn();
      rowsInTurn = 0;
    }
  }
  return receipts;
}

/** False when the key was there: of two that insert it at once, the unique index lets one through. */
async function claimKey(tables: Tables, dispatch: DispatchRecord): Promise<boolean> {
  const inserted = await tables
    .insertInto('webhook_idempotency_keys')
    .values({ event: dispatch.event, key: dispatch.idempotencyKey ?? '', created_at: dispatch.createdAt })
    .onConflict((conflict) => conflict.columns(['event', 'key']).doNothing())
    .returning('key')
    .execute();
  return inserted.length > 0;
}

async function insertDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  dispatch: DispatchRecord,
): Promise<string[]> {
  const payloadBytes = Math.max(Buffer.byteLength(dispatch.payload), 1);
  const maxRows = Math.max(
    1,
    Math.min(MAX_ROWS_PER_STATEMENT, Math.floor(MAX_BYTES_PER_STATEMENT / payloadBytes)),
  );
  const deliveryIds: string[] = [];
  // Ends at the first chunk that is not full: there are as many as there are webhooks, divided by the chunk's size.
  for (let afterId = 0; ; ) {
    const rows = await insertChunk(tables, dialect, dispatch, afterId, maxRows);
    for (const row of rows) {
      deliveryIds.push(row.delivery_id);
      afterId = Math.max(afterId, Number(row.webhook_id));
    }
    if (rows.length < maxRows) return deliveryIds;
    await nextTurn();
  }
}

/**
 * Reads the subscribers and writes their deliveries in one statement, so that a webhook removed or deactivated at
 * the same time is either served or not, and never half.
 */
function insertChunk(
  tables: Tables,
  dialect: WebhookDialect,
  dispatch: DispatchRecord,
  afterId: number,
  limit: number,
): Promise<{ delivery_id: string; webhook_id: number }[]> {
  return tables
    .insertInto('webhook_deliveries')
    .columns(['webhook_id', 'delivery_id', 'event', 'payload', 'created_at', 'next_attempt_at', 'status'])
    .expression(
      activeTargets(tables, dispatch.target, afterId)
        .select([
          'webhooks.id',
          dialect.randomHex().as('delivery_id'),
          sql<string>`${dispatch.event}`.as('event'),
          sql<string>`${dispatch.payload}`.as('payload'),
          sql<string>`${dispatch.createdAt}`.as('created_at'),
          sql<string>`${dispatch.createdAt}`.as('next_attempt_at'),
          PENDING.as('status'),
        ])
        .orderBy('webhooks.id')
        .limit(limit),
    )
    .returning(['delivery_id', 'webhook_id'])
    .execute();
}

/**
 * The webhooks that a dispatch is for, beyond those of earlier chunks. The patterns are looked up first, as a list
 * of ids without repeats: the work follows the number of subscribers, not of webhooks.
 */
export function activeTargets(tables: Tables, target: DispatchRecord['target'], afterId: number) {
  const active = tables.selectFrom('webhooks').where('webhooks.is_active', '=', 1);
  if ('webhookId' in target) {
    return active.where('webhooks.id', '=', target.webhookId).where('webhooks.id', '>', afterId);
  }
  return active.where('webhooks.id', 'in', (patterns) =>
    patterns
      .selectFrom('webhook_patterns')
      .select('webhook_patterns.webhook_id')
      .where('webhook_patterns.pattern', 'in', target.patterns)
      .where('webhook_patterns.webhook_id', '>', afterId),
  );
}
