import { type Kysely, sql } from 'kysely';
import type { DatabaseName } from '../../database-name.ts';
import { isReadOnly, MIGRATION_PRIVILEGES } from './refused-statement.ts';

/** What messages about migrations say of a package. */
export interface MigrationNames {
  readonly packageName: string;
  /** The function that applies the migrations. */
  readonly migrate: string;
  /** What gets the option `tablePrefix` as well. */
  readonly stores: string;
  /** The number with which every name of a migration begins. */
  readonly number: RegExp;
}

/** Why a name that is taken stops the migrations, and what to do. */
export function nameTakenText({ packageName, migrate, stores }: MigrationNames, cause: unknown): string {
  return (
    `The database has a table or an index of a name that ${packageName} uses, and did not create it (${messageOf(cause)}): ` +
    `give ${migrate} and ${stores} the option tablePrefix, such as { tablePrefix: 'acme_' }. ` +
    `Where another tool applies the migrations of ${packageName}, do not call ${migrate}`
  );
}

/** Which privileges the role lacks, or which setting lets nobody write. */
export function lacksPrivilegesText(
  { migrate }: MigrationNames,
  database: DatabaseName,
  cause: unknown,
): string {
  if (isReadOnly(cause)) {
    return (
      `The connections of db only read (${messageOf(cause)}): ${READ_WRITE[database]}, ` +
      `or connect to the primary server, and run ${migrate} again`
    );
  }
  return (
    `The role of db may not apply the migrations (${messageOf(cause)}): run ${migrate} with a role that has ` +
    `${MIGRATION_PRIVILEGES[database]}, and this application with one that reads and writes the tables`
  );
}

const READ_WRITE: Readonly<Record<DatabaseName, string>> = {
  postgres: 'set default_transaction_read_only = off for them',
  mysql: 'set transaction_read_only (MariaDB: tx_read_only) and read_only to off',
  sqlite: 'open the file for writing',
};

/**
 * A state before the first release: the first of the applied migrations that has the number, but
 * not the name, of one of ours. Undefined where there is none.
 */
export function earlierState(
  { number }: MigrationNames,
  applied: Iterable<string>,
  ours: readonly string[],
): string | undefined {
  const numberOf = (name: string) => number.exec(name)?.[0];
  return [...applied]
    .sort()
    .find(
      (name) =>
        numberOf(name) !== undefined &&
        !ours.includes(name) &&
        ours.some((one) => numberOf(one) === numberOf(name)),
    );
}

/** An applied migration that no version of the package has: the record is of another program. */
export function foreignMigration({ number }: MigrationNames, applied: Iterable<string>): string | undefined {
  return [...applied].find((name) => !number.test(name));
}

/** The first of the tables that is there. */
export async function findTable<DB>(
  db: Kysely<DB>,
  tables: readonly string[],
  isMissingTable: (error: unknown) => boolean,
): Promise<string | undefined> {
  for (const table of tables) {
    try {
      await sql`select 1 from ${sql.table(table)} where 1 = 0`.execute(db);
      return table;
    } catch (error) {
      if (!isMissingTable(error)) throw error;
    }
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return String(Object(error).message);
}
