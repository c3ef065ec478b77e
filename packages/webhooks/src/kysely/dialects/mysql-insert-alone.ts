import { type QueryExecutorProvider, sql } from 'kysely';
import { deliveryIdOf, deliveryIdRange, deliveryIdsOf } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { NamedDispatch } from '../named-dispatch.ts';

/**
 * As `locks.keptNow`, but for a second on MariaDB, whose `nowait` holds for the whole statement: it would fail wherever another
 * one is drawing row numbers (error 1467).
 */
const KEPT_BRIEFLY = sql`/*!80001 for share nowait */ /*M! lock in share mode wait 1 */`;

/**
 * A look-up and one statement that is a transaction by itself. There is no statement that writes to two tables, and a
 * transaction takes four round trips of its own: so nothing is counted here, and the claim counts, as it does for a host's
 * transaction.
 *
 * Whatever the isolation is: the webhooks are read as they are now, not as they were, and each is locked by its id, so that
 * no range of them is.
 */
export async function insertAloneMysql(
  dialect: Pick<WebhookDialect, 'timestamp'>,
  connection: QueryExecutorProvider,
  { id, event, payload, createdAt, target }: NamedDispatch,
  maxDeliveries: number,
): Promise<readonly string[] | undefined> {
  const found = await findSubscribers(connection, target, maxDeliveries + 1);
  if (found.length === 0) return [];
  if (found.length > maxDeliveries || found.includes(null)) return undefined;
  // One that holds several of the patterns was found several times.
  const webhookIds = [...new Set(found.map(Number))].sort((a, b) => a - b);
  const ids = deliveryIdsOf(id);
  const present = dialect.timestamp(Date.now());
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries (
      webhook_id, delivery_id, event, payload, created_at, next_attempt_at, turn_at, is_counted)
    select id, concat(${ids.prefix}, lpad(lower(hex(((id & 4294967295) * cast(${ids.factor} as unsigned)
        + cast(${ids.offset} as unsigned)) & 4294967295)), 8, '0')),
      ${event}, ${payload}, ${createdAt}, ${present}, ${present}, 0
    from (
      select id from webhooks force index (primary)
      where id in (${sql.join(webhookIds)}) and is_active = 1
      order by id limit ${sql.lit(maxDeliveries)} ${KEPT_BRIEFLY}) as target
    order by id`.execute(connection);
  if (Number(numAffectedRows) === webhookIds.length) return webhookIds.map((one) => deliveryIdOf(ids, one));
  return readIds(connection, id);
}

/**
 * Active webhooks that hold one of the patterns. Null is among them where the session does not commit by itself, and may
 * answer what was true long ago.
 */
async function findSubscribers(
  connection: QueryExecutorProvider,
  target: DispatchRecord['target'],
  limit: number,
): Promise<(number | null)[]> {
  const found =
    'webhookId' in target
      ? sql`select id as webhook_id from webhooks where id = ${target.webhookId} and is_active = 1`
      : // In this order: what statistics expect, a planner may read all webhooks for.
        sql`select straight_join webhook_id
          from webhook_patterns inner join webhooks on webhooks.id = webhook_patterns.webhook_id
          where pattern in (${sql.join(target.patterns)}) and webhooks.is_active = 1 limit ${sql.lit(limit)}`;
  const { rows } = await sql<{ webhook_id: number | null }>`
    (${found}) union all (select null from dual where @@autocommit = 0)`.execute(connection);
  return rows.map(({ webhook_id }) => webhook_id);
}

/** What was written, where a webhook was deactivated or removed since it was found. */
async function readIds(connection: QueryExecutorProvider, dispatchId: string): Promise<string[]> {
  const [first, last] = deliveryIdRange(dispatchId);
  const { rows } = await sql<{ delivery_id: string }>`
    select delivery_id from webhook_deliveries where delivery_id between ${first} and ${last}
    order by webhook_id`.execute(connection);
  return rows.map(({ delivery_id }) => delivery_id);
}
