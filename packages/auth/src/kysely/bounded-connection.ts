import type { Kysely } from 'kysely';
import { withDeadline } from '../../../toolkit/src/deadline.ts';

/** How long a store waits for a connection and its statements on it, together. */
export const MAX_DATABASE_WAIT_MS = 5_000;

/**
 * Runs `work` on one connection. Fails where it is not done in time: a host that awaits a store
 * inside a transaction of its own, which holds the last connection or the rows, would otherwise
 * wait for itself.
 *
 * Work that was given up before it had a connection never runs. For work that is under way,
 * `conclude` decides: it ends the bound, and throws where that has run out. A transaction calls it
 * before it commits, so that it is rolled back rather than executed late.
 */
export async function onBoundedConnection<DB, Result>(
  db: Kysely<DB>,
  work: (connection: Kysely<DB>, conclude: () => void) => Promise<Result>,
): Promise<Result> {
  let state: 'bounded' | 'concluded' | 'given up' = 'bounded';
  const refuseLate = () => {
    if (state === 'given up') throw new Error(TOO_LATE);
  };
  const conclude = () => {
    refuseLate();
    state = 'concluded';
  };
  const working = db.connection().execute(async (connection) => {
    refuseLate();
    return await work(connection, conclude);
  });
  return await withDeadline(working, MAX_DATABASE_WAIT_MS, () => {
    if (state === 'concluded') return working;
    state = 'given up';
    throw new Error(TOO_LATE);
  });
}

const TOO_LATE = `The database was not done within ${MAX_DATABASE_WAIT_MS} ms: a transaction may hold its connections or these rows. Inside a transaction of your own, hand it to sessions.revokeAll as { transaction }, and call no other method of sessions or API keys`;
