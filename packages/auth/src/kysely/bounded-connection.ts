import type { Kysely } from 'kysely';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { AuthError } from '../errors.ts';
import { type StoreInterface, withFailures } from '../host-store.ts';

/** How long a store waits for a connection and its statements on it, together. */
export const MAX_DATABASE_WAIT_MS = 5_000;

/**
 * Runs `work` on one connection. Fails if it is not done in time: a host that awaits a store
 * inside a transaction of its own, which holds the last connection or the rows, would otherwise
 * wait for itself.
 *
 * Work that was given up before it had a connection never runs. For work that is under way,
 * `conclude` decides: it ends the bound, and throws if that has run out. A transaction calls it
 * before it commits, so that it is rolled back rather than executed late.
 */
export async function onBoundedConnection<DB, Result>(
  db: Kysely<DB>,
  work: (connection: Kysely<DB>, conclude: () => void) => Promise<Result>,
): Promise<Result> {
  let state: 'bounded' | 'concluded' | 'given up' = 'bounded';
  const refuseLate = () => {
    if (state === 'given up') throw new DatabaseLateError();
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
    throw new DatabaseLateError();
  });
}

/** Says nothing of what was to be done: {@link tellLateCalls} does. */
export class DatabaseLateError extends Error {
  constructor() {
    super(`The database was not done ${IN_TIME}`);
  }
}

/** The end of each message of a late call: the time, the likely causes and what to do. */
export const IN_TIME: string = `within ${MAX_DATABASE_WAIT_MS} ms: a transaction may hold its connections or these rows. Inside a transaction of your own, await only calls to which you pass it`;

/** Returns a store whose late calls reject with `unavailable` and say what they were to do. */
export function tellLateCalls<Store extends object>(store: Store, wanted: StoreInterface<Store>): Store {
  return withFailures(store, wanted, ({ error, words }) =>
    error instanceof DatabaseLateError ? new AuthError('unavailable', `${words} ${IN_TIME}`) : error,
  );
}
