import { type QueryExecutorProvider, sql } from 'kysely';
import { deliveryIdsOf } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { NamedDispatch } from '../named-dispatch.ts';

/**
 * The whole dispatch as one statement: the webhooks locked in ascending order of id, then their deliveries, and last the
 * counters, locked in the order of their key.
 *
 * Writes nothing where the host's default isolation is another one: the storage's is for a transaction to say.
 */
export async function insertAlonePostgres(
  { timestamp, locks }: Pick<WebhookDialect, 'timestamp' | 'locks'>,
  connection: QueryExecutorProvider,
  { id, event, payload, createdAt, target }: NamedDispatch,
  maxDeliveries: number,
): Promise<string[] | undefined> {
  const { prefix, factor, offset } = deliveryIdsOf(id);
  const present = timestamp(Date.now());
  const { rows } = await sql<{ written: string | null; is_refused: boolean }>`
    with found as (${candidates(target, maxDeliveries + 1)}),
    refused as (
      select count(*) > ${sql.lit(maxDeliveries)} or current_setting('transaction_isolation') <> 'read committed' as is_refused
      from found),
    target as (
      select id from webhooks
      where is_active = 1 and id = any (array(select webhook_id from found)) and not (select is_refused from refused)
      order by id ${locks.keptNow}),
    written as (
      insert into webhook_deliveries (
        webhook_id, delivery_id, event, payload, created_at, next_attempt_at, turn_at, is_counted)
      select id, ${prefix} || lpad(to_hex(
          ((id & 4294967295) * ${factor}::bigint + ${offset}::bigint) & 4294967295), 8, '0'),
        ${event}, ${payload}, ${createdAt}, ${present}, ${present}, 1
      from target order by id
      returning webhook_id, delivery_id, created_at),
    counted as (
      insert into webhook_activity (webhook_id, hour, success, failed, pending, last_success_at)
      select webhook_id, hour, 0, 0, 1, ''
      from written cross join lateral (values (''), (substr(created_at, 1, 13))) as counter(hour)
      order by webhook_id, hour
      on conflict (webhook_id, hour) do update set pending = webhook_activity.pending + excluded.pending)
    select (select string_agg(delivery_id, ',' order by webhook_id) from written) as written, is_refused from refused`.execute(
    connection,
  );
  const [answer] = rows;
  if (answer === undefined || answer.is_refused) return undefined;
  return answer.written?.split(',') ?? [];
}

/** A webhook that holds several of the patterns is among them more than once. */
function candidates(target: DispatchRecord['target'], limit: number) {
  if ('webhookId' in target) return sql`select ${target.webhookId}::bigint as webhook_id`;
  // In the index's order: with a limit alone, and statistics that expect more of them, the planner reads the table through.
  return sql`select webhook_id from webhook_patterns where pattern in (${sql.join(target.patterns)})
    order by pattern limit ${sql.lit(limit)}`;
}
