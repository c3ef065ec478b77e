import { type Kysely, sql } from 'kysely';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import type { DispatchReceipt, DispatchRecord } from '../../src/storage/delivery-requests.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

type Dispatch = (records: readonly DispatchRecord[]) => Promise<DispatchReceipt[]>;

/** An empty storage, as sequences use it. */
export interface ModelStorage {
  /** As two processes have it: the same object where they share one. */
  readonly processes: readonly [WebhookStorage, WebhookStorage];
  /** What the clock says when a sequence begins. */
  startMs(): number;
  /** How much later it may become by the storage's clock than by that of the sequence. */
  readonly slackMs: number;
  /** Lets time go by for a storage that asks its database; the others use their caller's clock. */
  pass?(ms: number): Promise<void>;
  /** Keeps in which hours deliveries were claimed, for a storage that asks its database. */
  keepHours?(hours: readonly string[]): Promise<void>;
  /** Runs `work` in a transaction of the host's. */
  inTransaction?(work: (dispatch: Dispatch) => Promise<void>): Promise<void>;
}

/** Where sequences begin that hold the clock. */
const START_MS = Date.parse('2026-11-20T04:10:00.123Z');
/** More than a sequence really takes, and less than whatever lets time go by. */
const SERVER_SLACK_MS = 15_000;

export function memoryForModel(storage: WebhookStorage = memoryStorage()): ModelStorage {
  return { processes: [storage, storage], startMs: () => START_MS, slackMs: 0 };
}

const EMPTIED = [
  'webhook_deliveries',
  'webhook_activity',
  'webhook_failures',
  'webhook_idempotency_keys',
  'webhook_leases',
  'webhook_patterns',
  'webhooks',
] as const;

/** A database as two processes have it, emptied; on a server time goes by as rows become older. */
export async function databaseForModel(
  [first, second]: readonly [Kysely<WebhookTables>, Kysely<WebhookTables>],
  older?: (column: string, ms: number) => ReturnType<typeof sql<string>>,
): Promise<ModelStorage> {
  for (const table of EMPTIED) await first.deleteFrom(table).execute();
  const storage = kyselyStorage(first);
  return {
    processes: [storage as WebhookStorage, kyselyStorage(second) as WebhookStorage],
    startMs: older === undefined ? () => START_MS : Date.now,
    slackMs: older === undefined ? 0 : SERVER_SLACK_MS,
    ...(older !== undefined && {
      async keepHours(hours: readonly string[]) {
        const row = { name: 'claims', holder: '', until: '', state: JSON.stringify(hours) };
        await first.deleteFrom('webhook_leases').where('name', '=', row.name).execute();
        await first.insertInto('webhook_leases').values(row).execute();
      },
      async pass(ms: number) {
        await first
          .updateTable('webhook_deliveries')
          .set({
            next_attempt_at: older('next_attempt_at', ms),
            priority_at: older('priority_at', ms),
            locked_until: older('locked_until', ms),
          })
          .where('status', '=', 'pending')
          .execute();
        await first
          .updateTable('webhook_pauses')
          .set({ paused_until: older('paused_until', ms) })
          .execute();
      },
    }),
    inTransaction: (work) =>
      first
        .transaction()
        .execute((transaction) => work((records) => storage.recordDispatches(records, transaction))),
  };
}

export function olderOnPostgres(column: string, ms: number): ReturnType<typeof sql<string>> {
  return sql<string>`to_char((${sql.ref(column)}::timestamptz - ${ms} * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export function olderOnMysql(column: string, ms: number): ReturnType<typeof sql<string>> {
  const time = sql`str_to_date(left(${sql.ref(column)}, 23), '%Y-%m-%dT%H:%i:%s.%f')`;
  return sql<string>`concat(left(date_format(date_sub(${time}, interval ${ms} * 1000 microsecond), '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`;
}
