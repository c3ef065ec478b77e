import { type RawBuilder, sql } from 'kysely';
import type { BenchDatabase, BenchServer } from './bench-database.ts';

/** What {@link fillHistory} has written. */
export interface History {
  readonly deliveries: number;
  readonly webhooks: number;
  readonly customers: number;
  /** The time of the delivery with that number, from 0. */
  at(number: number): string;
}

/** The webhook with a tenth of all deliveries; of the others each has some ninety. */
export const LARGE_WEBHOOK = 1;

const DELIVERIES_PER_WEBHOOK = 100;
const WEBHOOKS_PER_CUSTOMER = 5;
const DAYS = 30;
/** The newest deliveries wait, whatever the size. */
const PENDING = 500;
/** How many rows one statement writes. */
const CHUNK = 50_000;

/**
 * Writes deliveries of the last 30 days, and what results would have counted of them, by statements
 * that need no row from here: a million takes a minute or two.
 *
 * One in a hundred fails. To one webhook in twenty, and to the large one, one in five fails. To 25
 * webhooks, and one in a hundred of the others, none has succeeded for a day. The share of a webhook
 * and of an hour in all deliveries shrinks as they grow: large installations have more customers.
 */
export async function fillHistory(
  { db }: BenchDatabase,
  server: BenchServer,
  deliveries: number,
): Promise<History> {
  const webhooks = Math.ceil(deliveries / DELIVERIES_PER_WEBHOOK);
  const customers = Math.ceil(webhooks / WEBHOOKS_PER_CUSTOMER);
  const stepMs = Math.floor((DAYS * 86_400_000) / deliveries);
  const startMs = Date.now() - deliveries * stepMs;
  const at = (number: number) => new Date(startMs + number * stepMs).toISOString();
  const downFrom = Math.floor(deliveries - deliveries / DAYS);
  const { idOf, timeOf } = expressionsOf(server);

  await sql`insert into webhooks (tenant, url, secret, created_at, updated_at) ${numbers(0, webhooks)}
    select concat('customer-', n % ${sql.lit(customers)}), concat('https://recipient.example/', n),
      'whsec_c2VjcmV0', ${at(0)}, ${at(0)} from numbers order by n`.execute(db);
  await sql`insert into webhook_patterns (tenant, pattern, webhook_id)
    select tenant, '*', id from webhooks`.execute(db);
  for (let from = 0; from < deliveries; from += CHUNK) {
    await sql`insert into webhook_deliveries (webhook_id, delivery_id, event, payload, status, status_code, error,
        response_body, attempts, attempt_log, created_at, completed_at, next_attempt_at, priority_at)
      ${numbers(from, Math.min(from + CHUNK, deliveries))}, hashed as (
        select n, (n * 2654435761) % 4294967296 as hash from numbers), addressed as (
        select n, hash, case when n % 10 = 0 then ${sql.lit(LARGE_WEBHOOK)} else 1 + hash % ${sql.lit(webhooks)} end
          as webhook_id from hashed), ended as (
        select n, hash, webhook_id, ${timeOf(sql`${sql.lit(startMs)} + 1.0 * n * ${sql.lit(stepMs)}`)} as at,
          case when n >= ${sql.lit(deliveries - PENDING)} then 'pending'
            when hash % 997 < case when webhook_id = 1 or webhook_id % 20 = 0 then 200 else 10 end
              or (n >= ${sql.lit(downFrom)} and ${IS_DOWN}) then 'failed'
            else 'success' end as status
        from addressed)
      select webhook_id, ${idOf(sql`n`)}, case when hash % 20 = 5 then 'order.paid' else 'order.created' end,
        ${PAYLOAD}, status, case status when 'success' then 200 when 'failed' then 503 else 0 end,
        case status when 'failed' then 'http_503' else '' end, case status when 'pending' then '' else 'ok' end,
        case status when 'pending' then 0 else 1 end, case status when 'pending' then '[]' else ${ATTEMPTS} end,
        at, case when status <> 'pending' then at end, case when status = 'pending' then at end,
        case when status = 'pending' then at end
      from ended order by n`.execute(db);
  }
  await fillCounters(db, at(downFrom));
  if (server.name === 'PostgreSQL') await sql`vacuum analyze`.execute(db);
  return { deliveries, webhooks, customers, at };
}

/** What results would have written beside the deliveries. */
async function fillCounters(db: BenchDatabase['db'], downSince: string): Promise<void> {
  const ended = sql`sum(case when status = 'success' then 1 else 0 end),
    sum(case when status = 'failed' then 1 else 0 end)`;
  const lastOf = (status: string) =>
    sql`coalesce(max(case when status = ${sql.lit(status)} then completed_at end), '')`;
  await sql`insert into webhook_activity (webhook_id, hour, shard, success, failed)
    select webhook_id, substr(created_at, 1, 13), 0, ${ended}
    from webhook_deliveries where status <> 'pending' group by 1, 2`.execute(db);
  await sql`insert into webhook_activity
      (webhook_id, hour, shard, success, failed, last_success_at, last_failure_at, revision)
    select webhook_id, '', 0, ${ended}, ${lastOf('success')}, ${lastOf('failed')}, count(*)
    from webhook_deliveries where status <> 'pending' group by 1`.execute(db);
  await sql`insert into webhook_failures (webhook_id, failed, since, last_at, ended_at, rest)
    select webhook_id, count(*), min(completed_at), max(completed_at),
      case when ${IS_DOWN} then '' else ${downSince} end,
      concat('{"error":"http_503","secondAt":"', min(completed_at), '"}')
    from webhook_deliveries where status = 'failed' and (created_at >= ${downSince} or not ${IS_DOWN})
    group by webhook_id`.execute(db);
}

/** Whether nothing has succeeded for a day at a webhook. */
const IS_DOWN = sql`(webhook_id between 2 and 26 or webhook_id % 100 = 0)`;

const PAYLOAD = sql.lit(JSON.stringify({ id: 1, text: 'x'.repeat(200) }));
const ATTEMPTS = sql.lit(
  JSON.stringify([
    { attempt: 1, startedAt: '2026-01-01T00:00:00.000Z', durationMs: 35, statusCode: 200, error: '' },
  ]),
);

/** The beginning of a statement with the numbers from one to another, which is excluded, as `n`. */
function numbers(from: number, to: number): RawBuilder<unknown> {
  // By thousands: databases bound the steps of a recursion.
  return sql`with recursive thousand (i) as (select 0 union all select i + 1 from thousand where i < 999),
    numbers as (select * from (select ${sql.lit(from)} + a.i * 1000 + b.i as n
      from thousand as a cross join thousand as b where a.i < ${sql.lit(Math.ceil((to - from) / 1_000))}) as chunk
      where n < ${sql.lit(to)})`;
}

type Expression = (of: RawBuilder<unknown>) => RawBuilder<unknown>;

/** An id of 32 digits in no order, and the text of a time in ms since the epoch. */
function expressionsOf({ name }: BenchServer): { readonly idOf: Expression; readonly timeOf: Expression } {
  if (name === 'PostgreSQL') {
    const format = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
    return {
      idOf: (n) => sql`md5(${n}::text)`,
      timeOf: (ms) => sql`to_char(to_timestamp((${ms}) / 1000.0) at time zone 'UTC', ${format})`,
    };
  }
  if (name === 'MySQL or MariaDB') {
    const time = (ms: RawBuilder<unknown>) =>
      sql`date_add(timestamp'1970-01-01 00:00:00', interval (${ms}) * 1000 microsecond)`;
    return {
      idOf: (n) => sql`md5(${n})`,
      timeOf: (ms) => sql`concat(left(date_format(${time(ms)}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`,
    };
  }
  return {
    idOf: () => sql`lower(hex(randomblob(16)))`,
    timeOf: (ms) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', (${ms}) / 1000.0, 'unixepoch')`,
  };
}
