import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import PQueue from 'p-queue';
import type { Pool } from 'undici';
import type { BenchDatabase, BenchServer } from './bench-database.ts';

/** What is delivered. */
interface Job {
  payload(id: number): object;
  readonly atOnce: number;
}

type HandTables = {
  readonly sent: {
    readonly delivery_id: string;
    readonly payload: string;
    readonly status: string;
    readonly status_code: number;
    readonly attempts: number;
    readonly created_at: string;
    readonly completed_at: string | null;
  };
};

/** The worker that one would write: one job per delivery, global fetch, an insert and two updates. */
export async function handWritten(
  { db }: BenchDatabase,
  { url, payload, atOnce }: Job & { readonly url: string },
): Promise<(count: number) => Promise<void>> {
  const hand = db.withTables<HandTables>();
  await db.schema
    .createTable('sent')
    .addColumn('delivery_id', 'varchar(32)', (column) => column.primaryKey().notNull())
    .addColumn('payload', 'text')
    .addColumn('status', 'varchar(16)')
    .addColumn('status_code', 'integer')
    .addColumn('attempts', 'integer')
    .addColumn('created_at', 'varchar(24)')
    .addColumn('completed_at', 'varchar(24)')
    .execute();
  await db.schema.createIndex('sent_by_status').on('sent').columns(['status', 'created_at']).execute();
  const headers = { 'content-type': 'application/json' };

  async function send(id: number): Promise<void> {
    const body = JSON.stringify(payload(id));
    const delivery_id = randomBytes(16).toString('hex');
    const created_at = new Date().toISOString();
    const row = { delivery_id, payload: body, status: 'pending', status_code: 0, attempts: 0, created_at };
    await hand
      .insertInto('sent')
      .values({ ...row, completed_at: null })
      .execute();
    await hand.updateTable('sent').set({ attempts: 1 }).where('delivery_id', '=', delivery_id).execute();
    const response = await fetch(url, { method: 'POST', body, headers });
    await response.arrayBuffer();
    await hand
      .updateTable('sent')
      .set({ status: 'success', status_code: response.status, completed_at: new Date().toISOString() })
      .where('delivery_id', '=', delivery_id)
      .execute();
  }

  return async (count) => {
    const queue = new PQueue({ concurrency: atOnce });
    await queue.addAll(Array.from({ length: count }, (_, id) => () => send(id)));
  };
}

/** How many jobs the loop claims with one statement. */
const CLAIMED = 100;
/** And how many one statement inserts. */
const INSERTED = 500;
const KEY = randomBytes(32);

/**
 * The loop of a database engineer: jobs are inserted in bulk and claimed by the hundred, each is
 * signed and sent, and one update says of the hundred that they were.
 */
export async function handWrittenLoop(
  { db }: BenchDatabase,
  { name }: BenchServer,
  { pool, payload, atOnce }: Job & { readonly pool: Pool },
): Promise<(count: number) => Promise<void>> {
  const isSqlite = name.startsWith('SQLite');
  const isPostgres = name === 'PostgreSQL';
  const key = isPostgres
    ? sql`bigserial primary key`
    : sql.raw(isSqlite ? 'integer primary key' : 'bigint primary key auto_increment');
  await sql`create table job (id ${key}, payload text, status varchar(16) not null, status_code integer,
    completed_at varchar(24))`.execute(db);
  await sql`create index job_due on job (status, id)`.execute(db);
  const lock = sql.raw(isSqlite ? '' : 'for update skip locked');
  const due = sql`select id, payload from job where status = 'due' order by id limit ${sql.lit(CLAIMED)} ${lock}`;

  /** In one statement where an update can answer. */
  async function claim(): Promise<readonly { readonly id: number; readonly payload: string }[]> {
    if (isPostgres || isSqlite) {
      const ids = sql`update job set status = 'running' where id in (select id from (${due}) as due) returning id, payload`;
      return (await sql<{ id: number; payload: string }>`${ids}`.execute(db)).rows;
    }
    return db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ id: number; payload: string }>`${due}`.execute(transaction);
      if (rows.length > 0) await setStatus(rows, 'running').execute(transaction);
      return rows;
    });
  }

  const setStatus = (rows: readonly { readonly id: number }[], status: string) =>
    sql`update job set status = ${status}, status_code = 200, completed_at = ${new Date().toISOString()}
      where id in (${sql.join(rows.map(({ id }) => id))})`;

  async function send({ id, payload: body }: { readonly id: number; readonly payload: string }) {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': String(id),
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    const response = await pool.request({ path: '/', method: 'POST', headers, body });
    await response.body.dump();
  }

  return async (count) => {
    for (let from = 0; from < count; from += INSERTED) {
      const size = Math.min(INSERTED, count - from);
      const rows = Array.from({ length: size }, (_, n) => sql`(${JSON.stringify(payload(from + n))}, 'due')`);
      await sql`insert into job (payload, status) values ${sql.join(rows)}`.execute(db);
    }
    const queue = new PQueue({ concurrency: atOnce });
    for (let rows = await claim(); rows.length > 0; rows = await claim()) {
      await queue.addAll(rows.map((row) => () => send(row)));
      await setStatus(rows, 'success').execute(db);
    }
  };
}
