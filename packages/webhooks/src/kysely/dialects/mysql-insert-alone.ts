import { type QueryExecutorProvider, sql } from 'kysely';
import { drawIds, firstIds, ID_LENGTH } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import type { WebhookDialect } from '../dialect.ts';

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
  { event, payload, createdAt, target }: DispatchRecord,
  maxDeliveries: number,
): Promise<string[] | undefined> {
  const candidates = await findCandidates(connection, target, maxDeliveries + 1);
  if (candidates.length === 0) return [];
  if (candidates.length > maxDeliveries || candidates.includes(null)) return undefined;
  const ids = drawIds(candidates.length);
  const present = dialect.timestamp(Date.now());
  const length = sql.lit(ID_LENGTH);
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries (
      webhook_id, delivery_id, event, payload, created_at, next_attempt_at, turn_at, is_counted)
    select id, substr(${ids}, (row_number() over (order by id) - 1) * ${length} + 1, ${length}),
      ${event}, ${payload}, ${createdAt}, ${present}, ${present}, 0
    from (
      select id from webhooks force index (primary)
      where id in (${sql.join(candidates)}) and is_active = 1
      order by id limit ${sql.lit(maxDeliveries)} lock in share mode) as target
    order by id`.execute(connection);
  return firstIds(ids, Number(numAffectedRows));
}

/**
 * A webhook that holds several of the patterns is among them more than once. Null is among them where the session does not
 * commit by itself, and may answer what was true long ago.
 */
async function findCandidates(
  connection: QueryExecutorProvider,
  target: DispatchRecord['target'],
  limit: number,
): Promise<(number | null)[]> {
  const found =
    'webhookId' in target
      ? sql`select ${target.webhookId} as webhook_id`
      : sql`select webhook_id from webhook_patterns where pattern in (${sql.join(target.patterns)}) limit ${sql.lit(limit)}`;
  const { rows } = await sql<{ webhook_id: number | null }>`
    (${found}) union all (select null from dual where @@autocommit = 0)`.execute(connection);
  return rows.map(({ webhook_id }) => webhook_id);
}
