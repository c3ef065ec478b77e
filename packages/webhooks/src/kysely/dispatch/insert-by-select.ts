import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { deliveryIdsOf } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import type { DispatchWithId } from './dispatch-with-id.ts';
import type { InsertedDelivery } from './inserted-delivery.ts';
import { rowsPerStatement } from './statement-bounds.ts';

/**
 * Reads the subscribers of one dispatch and writes their deliveries in one statement, on a database
 * in this process. `insertByRows` takes three statements and a quarter more time.
 */
export async function insertBySelect(
  tables: Tables,
  dialect: WebhookDialect,
  dispatch: DispatchWithId,
): Promise<InsertedDelivery[]> {
  const maxRows = rowsPerStatement(dispatch.payload);
  const deliveries: InsertedDelivery[] = [];
  // Ends at the first chunk that is not full: there are as many chunks as webhooks, divided by the
  // chunk's size.
  for (let afterId = 0; ; ) {
    const rows = await insertChunk(tables, dialect, dispatch, afterId, maxRows);
    for (const row of rows) {
      const webhookId = Number(row.webhook_id);
      deliveries.push({ webhookId, deliveryId: row.delivery_id });
      afterId = Math.max(afterId, webhookId);
    }
    if (rows.length < maxRows) return deliveries;
    // The driver answers synchronously: without this, a large fan-out would block the rest of the
    // process.
    await nextTurn();
  }
}

function insertChunk(
  tables: Tables,
  dialect: WebhookDialect,
  dispatch: DispatchWithId,
  afterId: number,
  limit: number,
): Promise<{ delivery_id: string; webhook_id: number }[]> {
  const { event, payload, createdAt } = dispatch;
  const due = dialect.timestamp(Date.parse(createdAt));
  // As text: composed with builders, the statement takes 40 µs longer, a tenth of a dispatch.
  const { prefix, factor, offset } = deliveryIdsOf(dispatch.id);
  // A driver may bind numbers as floating point, which a product of 63 bits does not fit.
  const deliveryId = sql`${prefix} || printf('%08x',
    ((id & 0xffffffff) * cast(${factor} as integer) + cast(${offset} as integer)) & 0xffffffff)`;
  const targets = sql`select id, ${deliveryId}, ${event}, ${payload}, ${createdAt}, ${due}, ${due}
    from ${nameInSql('webhooks')} where is_active = 1 and ${isTarget(dispatch.target, afterId)} order by id limit ${limit}`;
  return tables
    .insertInto('webhook_deliveries')
    .columns(INSERTED_COLUMNS)
    .expression(targets)
    .returning(['delivery_id', 'webhook_id'])
    .execute();
}

const INSERTED_COLUMNS = [
  'webhook_id',
  'delivery_id',
  'event',
  'payload',
  'created_at',
  'next_attempt_at',
  'priority_at',
] as const;

/**
 * The condition that a webhook is a target of the dispatch, after those of earlier chunks. The
 * patterns are looked up first, as a list of ids without repeats: the work grows with the number of
 * subscribers, not of webhooks.
 */
function isTarget(target: DispatchRecord['target'], afterId: number) {
  if ('webhookId' in target) return sql`id = ${target.webhookId} and id > ${afterId}`;
  return sql`id in (select webhook_id from ${nameInSql('webhook_patterns')}
    where pattern in (${sql.join(target.patterns)}) and webhook_id > ${afterId})`;
}
