import type { Kysely } from 'kysely';

/** How long a store waits for the one connection of a SQLite instance. */
export const MAX_CONNECTION_WAIT_MS = 5_000;

/**
 * Runs `work` on the one connection that Kysely has for SQLite. Fails where it is not free in time: a host that awaits
 * a store inside a transaction of its own would otherwise wait for itself. Work that was given up never runs.
 */
export async function onSingleConnection<DB, Result>(
  db: Kysely<DB>,
  work: (connection: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  let hasGivenUp = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      hasGivenUp = true;
      reject(new Error(TOO_LATE));
    }, MAX_CONNECTION_WAIT_MS);
  });
  const working = db.connection().execute(async (connection) => {
    clearTimeout(timer);
    if (hasGivenUp) throw new Error(TOO_LATE);
    return await work(connection);
  });
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}

const TOO_LATE = `The SQLite connection was not free within ${MAX_CONNECTION_WAIT_MS} ms: a transaction holds it. Inside a transaction of your own, hand it to sessions.revokeAll as { transaction }, and call no other method of sessions or API keys`;
