import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { WebhookDialect } from './dialect.ts';
import { dialectOf } from './dialect-of.ts';
import { type Tables, tablesOf } from './tables.ts';

/** How often a transaction that another connection was in the way of is tried again. */
const MAX_CONTENTION_RETRIES = 12;
/** No try begins later than this: each may block for a whole busy timeout before it fails. */
const MAX_CONTENTION_MS = 2_000;
const FIRST_RETRY_DELAY_MS = 5;
const MAX_RETRY_DELAY_MS = 250;

/** The host's database as the storage uses it. */
export interface TableAccess {
  readonly dialect: WebhookDialect;

  /** Runs statements that only read. */
  read<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` in a transaction that may write from its start; again from its start when another connection was in
   * the way, so `work` must have no effect outside of it.
   */
  write<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;

  /** The same, but fails at once when another connection was in the way. */
  writeOnce<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
}

/**
 * @throws TypeError when `db` is no supported database, or a transaction
 */
export function accessTables<DB>(db: Kysely<DB>): TableAccess {
  const dialect = dialectOf(db);
  if (db.isTransaction) throw new TypeError('db must be a Kysely instance, not a transaction of one');
  const tables = tablesOf(db);
  const writeOnce: TableAccess['writeOnce'] = (work) =>
    dialect.inTransaction(db, (transaction) => work(tablesOf(transaction)));
  return {
    dialect,
    read: (work) => retryContention(dialect, () => work(tables)),
    write: (work) => retryContention(dialect, () => writeOnce(work)),
    writeOnce,
  };
}

/** What time is while a transaction waits for its turn; tests bring their own. */
export interface RetryTime {
  /** Milliseconds on a clock that never goes back, from any origin. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const realTime: RetryTime = { now: () => performance.now(), pause: sleep };

/**
 * Runs `work` until it succeeds, fails for another reason than contention, or has had its time: 12 more tries, the
 * last begun within 2 s of the first.
 */
export async function retryContention<Result>(
  dialect: WebhookDialect,
  work: () => Promise<Result>,
  time: RetryTime = realTime,
): Promise<Result> {
  const lastStart = time.now() + MAX_CONTENTION_MS;
  for (let retry = 0; ; retry++) {
    // Processes that collided once part ways: each waits between half and the whole of the delay.
    const delayMs =
      Math.min(FIRST_RETRY_DELAY_MS * 2 ** retry, MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2);
    try {
      return await work();
    } catch (error) {
      const isOver = retry === MAX_CONTENTION_RETRIES || time.now() + delayMs > lastStart;
      if (isOver || !dialect.isContention(error)) throw error;
    }
    await time.pause(delayMs);
  }
}
