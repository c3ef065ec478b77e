import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import type { HostTransaction } from '../host-transaction.ts';
import {
  type NewOneTimeToken,
  ONE_TIME_TOKEN_STORE,
  type OneTimeToken,
  type OneTimeTokenRevocation,
  type OneTimeTokenStore,
  type PresentedOneTimeToken,
} from '../one-time-tokens/one-time-token-store.ts';
import { tellLateCalls } from './bounded-connection.ts';
import { accessDatabase } from './database-access.ts';
import type { AuthDialect } from './dialect.ts';
import { TABLE_NAMES } from './names.ts';
import { purgeExpired } from './purge-expired.ts';
import type { AuthTables, OneTimeTokenTable, Tables } from './tables.ts';

const COLUMNS = ['uid', 'instance', 'purpose', 'created_at', 'expires_at'] as const;

type Row = Pick<Selectable<OneTimeTokenTable>, (typeof COLUMNS)[number]>;

/**
 * Keeps one-time tokens in the host's own database, in the table `one_time_tokens` that
 * `migrateAuth` creates: for `createOneTimeTokens`.
 *
 * Takes the application's `Kysely` instance as it is, on SQLite, PostgreSQL, MySQL or MariaDB, and
 * the host's open transactions as `transaction`: Kysely's own, or what `@acme/auth/transactions`
 * makes of those of another library. It opens and closes nothing: the instance stays the host's.
 *
 * `tablePrefix` and, on PostgreSQL, `schema` are those that `migrateAuth` gets.
 *
 * @throws TypeError when `db` is not a supported database, is a transaction instead of an instance,
 *   or comes from `withSchema` without the option `schema`; when an option is unknown or out of
 *   bounds
 */
export function kyselyOneTimeTokenStore<DB>(
  db: Kysely<DB>,
  options: TableNameOptions = {},
): OneTimeTokenStore {
  refuseUnknownOptions('kyselyOneTimeTokenStore', options, TABLE_NAMES);
  const access = accessDatabase(db, options);
  const { dialect, read, write, within } = access;
  const change = <Result>(
    transaction: HostTransaction | undefined,
    work: (tables: Tables) => Promise<Result>,
  ) => (transaction === undefined ? write(work) : within(transaction, work));

  const store: OneTimeTokenStore = {
    issue: (token) => change(token.transaction, (tables) => replaceToken(tables, dialect, token)),

    consume: (presented) =>
      change(presented.transaction, (tables) =>
        dialect.hasOnConflictAndReturning
          ? deleteReturning(tables, presented)
          : lockAndDelete(tables, presented),
      ),

    async find(presented) {
      const row = await read((tables) => openToken(tables, presented).executeTakeFirst());
      return row && tokenOf(row);
    },

    revokeAll: (revocation) =>
      change(revocation.transaction, (tables) => deleteOpen(tables, dialect, revocation)),

    purge: (purgeOptions) => purgeExpired(access, 'one_time_tokens', purgeOptions),
  };
  return tellLateCalls(store, ONE_TIME_TOKEN_STORE);
}

/** Inserts a token in one statement, or writes it over the one that has its primary key. */
async function replaceToken(tables: Tables, dialect: AuthDialect, token: NewOneTimeToken): Promise<void> {
  const { uid, instance, purpose } = token;
  const content = {
    token_hash: token.tokenHash,
    created_at: token.issuedAt,
    expires_at: token.expiresAt,
  };
  const insert = tables.insertInto('one_time_tokens').values({ uid, instance, purpose, ...content });
  await (dialect.hasOnConflictAndReturning
    ? insert.onConflict((slot) => slot.columns(['uid', 'instance', 'purpose']).doUpdateSet(content))
    : insert.onDuplicateKeyUpdate(content)
  ).execute();
}

async function deleteReturning(
  tables: Tables,
  { tokenHash, instance, purpose, now }: PresentedOneTimeToken,
): Promise<OneTimeToken | undefined> {
  const row = await tables
    .deleteFrom('one_time_tokens')
    .where('token_hash', '=', tokenHash)
    .where('instance', '=', instance)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && tokenOf(row);
}

function openToken(
  tables: Tables,
  { tokenHash, instance, purpose, now }: Omit<PresentedOneTimeToken, 'transaction'>,
) {
  return tables
    .selectFrom('one_time_tokens')
    .select(COLUMNS)
    .where('token_hash', '=', tokenHash)
    .where('instance', '=', instance)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now);
}

/** The lock is held until the transaction ends, so nobody else reads the row before it is gone. */
async function lockAndDelete(
  tables: Tables,
  presented: PresentedOneTimeToken,
): Promise<OneTimeToken | undefined> {
  const row = await openToken(tables, presented).forUpdate().executeTakeFirst();
  if (row === undefined) return undefined;
  await tables.deleteFrom('one_time_tokens').where('token_hash', '=', presented.tokenHash).execute();
  return tokenOf(row);
}

/**
 * Counts the rows that are deleted, and not what the driver says: a transaction of another driver
 * answers rows alone.
 */
async function deleteOpen(
  tables: Tables,
  { hasOnConflictAndReturning }: AuthDialect,
  { uid, instance, purpose, now }: OneTimeTokenRevocation,
): Promise<number> {
  const isOpen = (token: ExpressionBuilder<AuthTables, 'one_time_tokens'>) =>
    token.and([
      token.and(purpose === undefined ? { uid, instance } : { uid, instance, purpose }),
      token('expires_at', '>', now),
    ]);
  const deletion = tables.deleteFrom('one_time_tokens').where(isOpen);
  if (hasOnConflictAndReturning) return (await deletion.returning('purpose').execute()).length;
  const open = await tables
    .selectFrom('one_time_tokens')
    .select('purpose')
    .where(isOpen)
    .forUpdate()
    .execute();
  if (open.length > 0) await deletion.execute();
  return open.length;
}

function tokenOf(row: Row): OneTimeToken {
  return {
    uid: row.uid,
    instance: row.instance,
    purpose: row.purpose,
    issuedAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}
