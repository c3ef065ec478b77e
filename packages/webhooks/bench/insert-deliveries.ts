import { type RawBuilder, sql } from 'kysely';
import type { BenchDatabase, BenchServer } from './bench-database.ts';

/** A delivery as a benchmark writes it, without a dispatch and an attempt. */
export interface WrittenDelivery {
  readonly webhookId: number;
  /** A number of its own. */
  readonly number: number;
  readonly event: string;
  readonly status: 'pending' | 'success' | 'failed';
  readonly at: string;
}

/** How many deliveries one statement writes. */
const CHUNK = 20_000;

const COLUMNS = [
  'webhook_id',
  'delivery_id',
  'event',
  'payload',
  'status',
  'status_code',
  'response_body',
  'attempts',
  'created_at',
  'completed_at',
  'next_attempt_at',
  'priority_at',
] as const;

const AT = new Date().toISOString();

/** Registers so many webhooks, of a tenant each if asked for. */
export async function insertWebhooks({ db }: BenchDatabase, count: number, ofTenants = false): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const size = Math.min(1_000, count - from);
    const rows = Array.from({ length: size }, (_, index) => ({
      ...{ url: `https://recipient.example/${from + index}`, secret: 'whsec_c2VjcmV0' },
      ...{ tenant: ofTenants ? `t${from + index}` : '', created_at: AT, updated_at: AT },
    }));
    await db.insertInto('webhooks').values(rows).execute();
  }
}

/** Writes deliveries, each with a payload of some 200 bytes. */
export async function insertDeliveries(
  { db }: BenchDatabase,
  server: BenchServer,
  count: number,
  deliveryOf: (number: number) => WrittenDelivery,
): Promise<void> {
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const rows = Array.from({ length: size }, (_, index) => deliveryOf(from + index));
    await db.insertInto('webhook_deliveries').columns(COLUMNS).expression(selectOf(server, rows)).execute();
  }
}

function selectOf(server: BenchServer, deliveries: readonly WrittenDelivery[]): RawBuilder<unknown> {
  const payload = JSON.stringify({ id: 1, text: 'x'.repeat(200) });
  const json = JSON.stringify(
    deliveries.map(({ webhookId, number, event, status, at }) => ({
      ...{ w: webhookId, i: number.toString(16).padStart(32, '0'), e: event, s: status, a: at },
    })),
  );
  const values = sql`r.w, r.i, r.e, ${payload}, r.s, case r.s when 'success' then 200 when 'failed' then 503 else 0 end,
    case r.s when 'pending' then '' else 'ok' end, case r.s when 'pending' then 0 else 1 end, r.a,
    case r.s when 'pending' then null else r.a end, case r.s when 'pending' then r.a end,
    case r.s when 'pending' then r.a end`;
  if (server.name === 'PostgreSQL') {
    return sql`select ${values} from json_to_recordset(${json}::json) as r(w integer, i text, e text, s text, a text)`;
  }
  if (server.name === 'MySQL or MariaDB') {
    return sql`select ${values} from json_table(${json}, '$[*]' columns (w int path '$.w', i varchar(32) path '$.i',
      e varchar(128) path '$.e', s varchar(16) path '$.s', a varchar(24) path '$.a')) as r`;
  }
  return sql`select ${values} from (select value ->> 'w' as w, value ->> 'i' as i, value ->> 'e' as e,
    value ->> 's' as s, value ->> 'a' as a from json_each(${json})) as r`;
}
