import { Kysely, MysqlDialect, PostgresDialect } from 'kysely';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import { onTestFinished, vi } from 'vitest';
import { boundedPool } from '../../packages/toolkit/src/kysely/bounded-pool.ts';
import { type SwallowingProxy, swallowingProxy } from './swallowing-proxy.ts';
import type { TestDatabase } from './test-database.ts';

interface BehindNetwork<DB> {
  readonly network: SwallowingProxy;
  /** Through the network. */
  readonly db: Kysely<DB>;
  /** Around the network. */
  readonly direct: Kysely<DB>;
  /** The first words of the statements that were executed on `direct`. */
  readonly executed: string[];
}

interface PoolSettings {
  /** Default 1. */
  readonly connections?: number;
  readonly answerTimeoutMs?: number;
}

/** A database behind a network that loses answers, and a bounded pool before it. */
export async function behindNetwork<DB>(
  create: () => Promise<TestDatabase>,
  migrate: (db: Kysely<DB>) => Promise<unknown>,
  { connections = 1, ...bounds }: PoolSettings = {},
): Promise<BehindNetwork<DB>> {
  const database = await create();
  const executed: string[] = [];
  const direct = database.open<DB>({
    // Not what a store asks behind its calls.
    log: ({ query: { sql } }) => {
      if (!/ as (identity|bounded_pool)\b/.test(sql)) executed.push(/^\W*(\w+)/.exec(sql)?.[1] ?? '');
    },
  });
  await migrate(direct);
  executed.length = 0;
  const network = await swallowingProxy(database.url);
  const url = network.url(database.url);
  const dialect = url.startsWith('postgres')
    ? new PostgresDialect({ pool: boundedPool(quietPool(url, connections), bounds) })
    : new MysqlDialect({ pool: boundedPool(createPool({ uri: url, connectionLimit: connections }), bounds) });
  const db = new Kysely<DB>({ dialect });
  onTestFinished(async () => {
    await network.close();
    // Of connections that are gone with the network, mysql2 tells here.
    await db.destroy().catch(() => {});
    await database.remove();
  });
  return { network, db, direct, executed };
}

/**
 * More than a store's bound, which it sets by `setTimeout` and reads from `performance`; less than
 * two of them, one after the other.
 */
const LONG_MS = 6_000;

/**
 * Calls while time stands still. Each time that so many answers more have been lost, lets a bound of
 * the call run out.
 */
export async function untilLost<Result>(
  network: SwallowingProxy,
  call: () => Promise<Result>,
  answers: readonly number[] = [1],
): Promise<Result> {
  let wanted = network.swallowed;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    let isOver = false;
    const calling = call().finally(() => {
      isOver = true;
    });
    calling.catch(() => {});
    for (const lost of answers) {
      wanted += lost;
      while (network.swallowed < wanted && !isOver) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(LONG_MS);
    }
    return await calling;
  } finally {
    vi.useRealTimers();
  }
}

/** A lost connection fails the statement that was under way, and is nobody else's affair. */
function quietPool(connectionString: string, max: number): Pool {
  const pool = new Pool({ connectionString, max });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
