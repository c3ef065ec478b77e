import { withDeadline } from '../deadline.ts';
import { booleanOption, integerOption, refuseUnknownOptions } from '../options.ts';
import { withMembers } from '../with-members.ts';
import { type Connection, withBoundedAnswers } from './bounded-answers.ts';

/** Options of `boundedPool`. */
export interface BoundedPoolOptions {
  /**
   * How long a statement may go without its answer, and a call without a connection. 1–3,600,000
   * ms, default 60,000: longer than the 50 s for which MySQL waits for a lock. Migrations of this
   * package have an hour.
   */
  readonly answerTimeoutMs?: number | undefined;
  /**
   * Whether statements that are marked for it are sent to PostgreSQL as prepared statements, by
   * name. Default true; `false` with PgBouncer before 1.21 in a mode other than `session`.
   */
  readonly preparedStatements?: boolean | undefined;
}

/**
 * Wraps a pool of `pg`, or of `mysql2` with callbacks, for Kysely's dialect. A connection that owes
 * an answer is destroyed, and its call rejects: Kysely by itself waits for ever, or puts the
 * connection back into the pool.
 *
 * ```ts
 * new PostgresDialect({ pool: boundedPool(new Pool({ connectionString })) });
 * ```
 *
 * The pool that you pass is not changed: what you ask of it yourself, as `LISTEN`, has no bound.
 * Rows that mysql2 streams have none, either. Whether a statement without an answer took effect is
 * not known.
 *
 * @returns the pool, with bounded connections and every other member as it is
 * @throws TypeError when it is no such pool; when an option is unknown or out of bounds
 */
export function boundedPool<Pool extends object>(pool: Pool, options: BoundedPoolOptions = {}): Pool {
  refuseUnknownOptions('boundedPool', options, ['answerTimeoutMs', 'preparedStatements']);
  const answerTimeoutMs = integerOption('answerTimeoutMs', options.answerTimeoutMs, {
    default: 60_000,
    min: 1,
    max: 3_600_000,
  });
  const preparedStatements = booleanOption('preparedStatements', options.preparedStatements, true);
  // Kysely knows a connection again by its identity.
  const known = new WeakMap<Connection, Connection>();
  const owed = new Set<PromiseLike<unknown>>();

  async function bounded(connecting: Promise<Connection>, isPrepared: boolean): Promise<Connection> {
    const connection = await withDeadline(connecting, answerTimeoutMs, () => {
      connecting.then((late) => late.release()).catch(() => {});
      throw new Error(`The pool has given no connection within ${answerTimeoutMs} ms`);
    });
    const own =
      known.get(connection) ?? withBoundedAnswers(connection, { answerTimeoutMs, isPrepared, owed });
    known.set(connection, own);
    return own;
  }

  if (isMysqlPool(pool)) {
    const getConnection = (done: Taken) => {
      const connecting = new Promise<Connection>((resolve, reject) => {
        pool.getConnection((error, connection) => (connection ? resolve(connection) : reject(error)));
      });
      bounded(connecting, false).then((connection) => done(null, connection), done);
    };
    // mysql2 says goodbye behind what a connection owes, and waits for ever once that is destroyed.
    const end = async (done?: (error: unknown) => void) => {
      while (owed.size > 0) await Promise.allSettled(owed);
      pool.end(done);
    };
    return withMembers<MysqlPool>(pool, { getConnection, end }) as Pool & MysqlPool;
  }
  if (!isPgPool(pool)) throw new TypeError('pool must be a Pool of pg, or of mysql2 with callbacks');
  return withMembers<PgPool>(pool, {
    connect: (taken) => (taken ? pool.connect(taken) : bounded(pool.connect(), preparedStatements)),
  }) as Pool & PgPool;
}

type Taken = (error: unknown, connection?: Connection) => void;

interface PgPool {
  connect(taken?: Taken): Promise<Connection>;
}

interface MysqlPool {
  getConnection(taken: Taken): void;
  end(done?: (error: unknown) => void): unknown;
}

function isPgPool(pool: object): pool is PgPool {
  return 'connect' in pool && typeof pool.connect === 'function';
}

/** The pool of `mysql2/promise` has no `promise` method. */
function isMysqlPool(pool: object): pool is MysqlPool {
  return 'getConnection' in pool && 'promise' in pool;
}
