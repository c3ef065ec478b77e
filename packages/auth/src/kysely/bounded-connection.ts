import type { Kysely } from 'kysely';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { connectionDestroyer } from '../../../toolkit/src/kysely/pool-signals.ts';
import { AuthError } from '../errors.ts';
import { type StoreInterface, withFailures } from '../host-store.ts';

/** How long a store waits for a connection and its statements on it, together. */
export const MAX_DATABASE_WAIT_MS = 5_000;
/** How long it then waits for the answer to COMMIT. */
const MAX_COMMIT_WAIT_MS = 5_000;
/** A connection that was held for less is slow at most: the rest went by in the pool's queue. */
const MIN_SILENCE_MS = 2_000;

/**
 * Runs `work` on one connection. Fails if it is not done in time: a host that awaits a store
 * inside a transaction of its own, which holds the last connection or the rows, would otherwise
 * wait for itself. The connection is then destroyed, if its pool is bounded and it was held for 2 s:
 * its answer may be lost.
 *
 * Work that was given up before it had a connection never runs. For work that is under way,
 * `conclude` decides: it throws if the bound has run out, and sets another, behind which nobody
 * knows what was stored. A transaction calls it before it commits, so that it is rolled back rather
 * than executed late.
 */
export async function onBoundedConnection<DB, Result>(
  db: Kysely<DB>,
  work: (connection: Kysely<DB>, conclude: (maxMs?: number) => void) => Promise<Result>,
): Promise<Result> {
  let late: DatabaseLateError | undefined;
  let concludedBy: number | undefined;
  let destroy = () => {};
  let heldSince = 0;
  const refuseLate = () => {
    if (late !== undefined) throw late;
  };
  const giveUp = () => {
    late = new DatabaseLateError(concludedBy !== undefined);
    if (performance.now() - heldSince >= MIN_SILENCE_MS) destroy();
    throw late;
  };
  const conclude = (maxMs = MAX_COMMIT_WAIT_MS) => {
    refuseLate();
    concludedBy = performance.now() + maxMs;
  };
  const working = db.connection().execute(async (connection) => {
    refuseLate();
    heldSince = performance.now();
    destroy = await connectionDestroyer(connection);
    refuseLate();
    return await work(connection, conclude);
  });
  return await withDeadline(working, MAX_DATABASE_WAIT_MS, () =>
    concludedBy === undefined
      ? giveUp()
      : withDeadline(working, Math.max(0, concludedBy - performance.now()), giveUp),
  );
}

/** Says nothing of what was to be done: {@link tellLateCalls} does. */
export class DatabaseLateError extends Error {
  /** The end of a message: the time, the likely causes and what to do. */
  readonly why: string;

  /** @param isConcluded whether it may have been stored all the same: COMMIT was under way */
  constructor(isConcluded: boolean) {
    const why = isConcluded ? NOT_KNOWN : IN_TIME;
    super(`The database was not done ${why}`);
    this.why = why;
  }
}

const IN_TIME = `within ${MAX_DATABASE_WAIT_MS} ms: a transaction may hold its connections or these rows. Inside a transaction of your own, await only calls to which you pass it`;
const NOT_KNOWN = 'in time: COMMIT has no answer, and whether it was stored is not known';

/** Returns a store whose late calls reject with `unavailable` and say what they were to do. */
export function tellLateCalls<Store extends object>(store: Store, wanted: StoreInterface<Store>): Store {
  return withFailures(store, wanted, ({ error, words }) =>
    error instanceof DatabaseLateError ? new AuthError('unavailable', `${words} ${error.why}`) : error,
  );
}
