import type { Kysely } from 'kysely';
import {
  TABLE_NAME_OPTIONS,
  type TableNameOptions,
} from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import { systemClock, unixSeconds } from '../clock.ts';
import {
  LOGIN_FAILURE_STORE,
  type LoginFailureChange,
  type LoginFailureCounts,
  type LoginFailureStore,
} from '../throttle/login-failure-store.ts';
import { tellLateCalls } from './bounded-connection.ts';
import { accessDatabase, type DatabaseAccess } from './database-access.ts';
import { purgeExpired } from './purge-expired.ts';
import type { LoginFailureTable, Tables } from './tables.ts';

/** The longest time between two purges of a process; each comes up to half of it earlier. */
const PURGE_EVERY_MS = 1_000;
/** Rows that one purge removes. One that finds as many is followed by another at once. */
const MAX_PURGED_ROWS = 1_000;

/**
 * Counts failed log-ins in the host's own database, in the table `login_failures` that
 * `migrateAuth` creates: for `loginThrottle.store`.
 *
 * Takes the application's `Kysely` instance as `kyselySessionStore` does. A log-in costs two short
 * transactions. A row goes with its last failure or attempt under way, or once its window is over:
 * once a second, up to 1,000 of those are removed behind a call, which does not wait for it, and at
 * once again while there are more, so that a flood of made-up names leaves nothing behind.
 *
 * `tablePrefix` and, on PostgreSQL, `schema` are those that `migrateAuth` gets.
 *
 * @throws TypeError when `db` is no supported database, a transaction instead of an instance, or
 *   from `withSchema` without the option `schema`; when an option is unknown or out of bounds
 */
export function kyselyLoginFailures<DB>(db: Kysely<DB>, options: TableNameOptions = {}): LoginFailureStore {
  refuseUnknownOptions('kyselyLoginFailures', options, TABLE_NAME_OPTIONS);
  const access = accessDatabase(db, options);
  let purgeAt = Number.NEGATIVE_INFINITY;
  let isPurging = false;

  // A purge removes the rows of many requests: it belongs to the asynchronous context of none.
  const purgeInOwnContext = outsideRequests.bind(purgeExpired);

  /** Purges behind the call that has counted, one purge at a time. Never throws. */
  function purgeInTime(time: number): void {
    // A clock that was set back must not put off the purge.
    if (isPurging || (time < purgeAt && time >= purgeAt - PURGE_EVERY_MS)) return;
    // Processes differ, so that they do not always meet on the same rows.
    purgeAt = time + PURGE_EVERY_MS * (0.5 + Math.random() / 2);
    isPurging = true;
    purgeInOwnContext(access, 'login_failures', {
      expiredBefore: Math.floor(time / 1_000),
      limit: MAX_PURGED_ROWS,
    })
      .then((purged) => {
        // Behind the next count, so that a flood is purged as fast as it fills the table.
        if (purged === MAX_PURGED_ROWS) purgeAt = Number.NEGATIVE_INFINITY;
      })
      // A database that is away fails the next count, too.
      .catch(() => {})
      .finally(() => {
        isPurging = false;
      });
  }

  const store: LoginFailureStore = {
    async add(changes, keepSeconds) {
      if (changes.every(isNothing)) return await access.read((tables) => countsOf(tables, changes));
      const time = systemClock();
      const counts = await addCounts(access, changes, unixSeconds(() => time) + keepSeconds);
      purgeInTime(time);
      return counts;
    },

    forget: (key) => forgetCounts(access, key),
  };
  return tellLateCalls(store, LOGIN_FAILURE_STORE);
}

function isNothing({ failures, underWay }: LoginFailureChange): boolean {
  return failures === 0 && underWay === 0;
}

function addCounts(
  { dialect, write }: DatabaseAccess,
  changes: readonly LoginFailureChange[],
  expiresAt: number,
): Promise<readonly LoginFailureCounts[]> {
  const rows = changes.map(({ key, failures, underWay }) => ({
    id: key,
    failures,
    under_way: underWay,
    expires_at: expiresAt,
  }));
  // Everyone locks rows in one order, so that calls with the same keys wait instead of deadlocking.
  rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  return write(async (tables) => {
    await dialect.addLoginFailures(tables.insertInto('login_failures').values(rows)).execute();
    const counts = await countsOf(tables, changes);
    await removeEmpty(
      tables,
      changes.filter((_, index) => isEmpty(counts[index])).map(({ key }) => key),
    );
    return counts;
  });
}

/** In the order of the keys; what has no row counts 0. */
async function countsOf(
  tables: Tables,
  keys: readonly { readonly key: string }[],
): Promise<readonly LoginFailureCounts[]> {
  const rows = await tables
    .selectFrom('login_failures')
    .select(['id', 'failures', 'under_way'])
    .where(
      'id',
      'in',
      keys.map(({ key }) => key),
    )
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ key }) => {
    const row = found.get(key);
    return row === undefined ? NOTHING : countsIn(row);
  });
}

const NOTHING: LoginFailureCounts = { failures: 0, underWay: 0 };

/** Drivers can be set to give integers as BigInt or text. */
function countsIn({
  failures,
  under_way,
}: Pick<LoginFailureTable, 'failures' | 'under_way'>): LoginFailureCounts {
  return { failures: Number(failures), underWay: Number(under_way) };
}

function isEmpty(counts: LoginFailureCounts | undefined): boolean {
  return counts?.failures === 0 && counts.underWay === 0;
}

async function removeEmpty(tables: Tables, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables
    .deleteFrom('login_failures')
    .where('id', 'in', [...ids].sort())
    .where('failures', '=', 0)
    .where('under_way', '=', 0)
    .execute();
}

function forgetCounts({ dialect, write }: DatabaseAccess, key: string): Promise<LoginFailureCounts> {
  return write(async (tables) => {
    const row = tables.selectFrom('login_failures').select(['failures', 'under_way']).where('id', '=', key);
    const found = await (dialect.hasRowLocks ? row.forUpdate() : row).executeTakeFirst();
    if (found === undefined) return NOTHING;
    await tables.deleteFrom('login_failures').where('id', '=', key).execute();
    return countsIn(found);
  });
}
