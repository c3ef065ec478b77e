import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DispatchRecord } from '../storage/delivery-requests.ts';
import type { WebhookDialect } from './dialect.ts';
import { type InsertedDelivery, MAX_ROWS_PER_STATEMENT, rowsPerStatement } from './inserted-delivery.ts';
import { PENDING } from './pending.ts';
import type { Tables } from './tables.ts';

/**
 * Reads the subscribers of each dispatch and writes their deliveries in one statement. For a database in this process,
 * where a statement costs little, and one that copies a payload from row to row costs less than one that brings it along.
 */
export async function insertBySelect(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
): Promise<InsertedDelivery[][]> {
  const inserted: InsertedDelivery[][] = [];
  let rowsInTurn = 0;
  for (const dispatch of dispatches) {
    const deliveries = await insertDeliveries(tables, dialect, dispatch);
    inserted.push(deliveries);
    rowsInTurn += deliveries.length;
    // The driver answers at once: without this, a large group would hold up everything else in the process.
    if (rowsInTurn >= MAX_ROWS_PER_STATEMENT) {
      await nextTurn();
      rowsInTurn = 0;
    }
  }
  return inserted;
}

async function insertDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  dispatch: DispatchRecord,
): Promise<InsertedDelivery[]> {
  const maxRows = rowsPerStatement(dispatch.payload);
  const deliveries: InsertedDelivery[] = [];
  // Ends at the first chunk that is not full: there are as many as there are webhooks, divided by the chunk's size.
  for (let afterId = 0; ; ) {
    const rows = await insertChunk(tables, dialect, dispatch, afterId, maxRows);
    for (const row of rows) {
      const webhookId = Number(row.webhook_id);
      deliveries.push({ webhookId, deliveryId: row.delivery_id });
      afterId = Math.max(afterId, webhookId);
    }
    if (rows.length < maxRows) return deliveries;
    await nextTurn();
  }
}

function insertChunk(
  tables: Tables,
  dialect: WebhookDialect,
  dispatch: DispatchRecord,
  afterId: number,
  limit: number,
): Promise<{ delivery_id: string; webhook_id: number }[]> {
  const due = dialect.timestamp(Date.parse(dispatch.createdAt));
  return tables
    .insertInto('webhook_deliveries')
    .columns([
      ...(['webhook_id', 'delivery_id', 'event', 'payload'] as const),
      ...(['created_at', 'next_attempt_at', 'turn_at', 'status'] as const),
    ])
    .expression(
      activeTargets(tables, dispatch.target, afterId)
        .select([
          'webhooks.id',
          sql<string>`lower(hex(randomblob(16)))`.as('delivery_id'),
          sql<string>`${dispatch.event}`.as('event'),
          sql<string>`${dispatch.payload}`.as('payload'),
          sql<string>`${dispatch.createdAt}`.as('created_at'),
          due.as('next_attempt_at'),
          due.as('turn_at'),
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
function activeTargets(tables: Tables, target: DispatchRecord['target'], afterId: number) {
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
