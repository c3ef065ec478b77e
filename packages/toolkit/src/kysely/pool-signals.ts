import { CompiledQuery, type QueryExecutorProvider } from 'kysely';
import { hasClassName } from '../has-class-name.ts';

/**
 * What a store says to a bounded pool, on the connection that it means. These are statements, since
 * Kysely hides the pool, which may also come from another copy of this file. A pool that is not
 * bounded passes them on, and every database answers 0.
 */
export const POOL_SIGNALS = {
  /** Are you bounded? */
  ask: 'select 0 as bounded_pool',
  /** What follows on this connection may take long. */
  wait: 'select 0 as bounded_pool /* wait */',
  /** The call was given up: destroy this connection. */
  destroy: 'select 0 as bounded_pool /* destroy */',
} as const;

/** Kysely's connections over pools of pg and mysql2. Other drivers have no pool to wrap. */
const POOLED = ['PostgresConnection', 'MysqlConnection'];
const WARNING =
  'Kysely has a pool that is not bounded: if the answer to a statement is lost, its connection stays taken, and its call may wait for ever. Give the dialect boundedPool(pool), of @acme/auth/kysely or @acme/webhooks/kysely';

/** Whether the pool of a Kysely instance is bounded, by the instance's adapter. */
const known = new WeakMap<object, boolean>();
let hasWarned = false;

/**
 * Returns what destroys the one connection of `db`, if its pool is bounded. Warns of a
 * pool of pg or mysql2 that is not, once in a process.
 */
export async function connectionDestroyer(db: QueryExecutorProvider): Promise<() => void> {
  const executor = db.getExecutor().withoutPlugins();
  // Not by the executor, whose next statement waits for the one that has no answer.
  const connection = await executor.provideConnection(async (own) => own);
  const tell = (signal: string) =>
    connection.executeQuery<{ bounded_pool?: unknown }>(CompiledQuery.raw(signal));
  if (!POOLED.some((name) => hasClassName(connection, name))) return () => {};
  let isBounded = known.get(executor.adapter);
  if (isBounded === undefined) {
    const { rows } = await tell(POOL_SIGNALS.ask);
    isBounded = Number(rows[0]?.bounded_pool) === 1;
    known.set(executor.adapter, isBounded);
    if (!isBounded && !hasWarned) process.emitWarning(WARNING, { code: 'ACME_UNBOUNDED_POOL' });
    hasWarned ||= !isBounded;
  }
  return isBounded ? () => void tell(POOL_SIGNALS.destroy).catch(() => {}) : () => {};
}
