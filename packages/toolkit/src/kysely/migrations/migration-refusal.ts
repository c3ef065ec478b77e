import { type Kysely, sql } from 'kysely';
import type { DatabaseName } from '../../database-name.ts';
import type { TableNaming } from '../table-names/table-naming.ts';
import { isReadOnly, isRefused, MIGRATION_PRIVILEGES } from './refused-statement.ts';

/** What messages about migrations say of a package. */
interface MigrationNames {
  readonly packageName: string;
  /** The function that applies the migrations. */
  readonly migrate: string;
  /** What gets the option `tablePrefix` as well. */
  readonly stores: string;
  /** The number with which every name of a migration begins. */
  readonly number: RegExp;
  /** The names of this version's migrations. */
  readonly migrations: readonly string[];
  /** The tables of the migrations, in an order in which they can be dropped. */
  readonly tables: readonly string[];
  /** The table that records the applied migrations. */
  readonly record: string;
}

/** What keeps a package from migrating a database. */
export interface MigrationRefusals {
  /**
   * @throws what `misconfigured` makes, if the record is of an earlier state or of another program
   */
  refuseRecord(applied: Iterable<string>, naming: TableNaming): void;

  /**
   * Before the first definition, if none can be rolled back.
   *
   * @throws what `misconfigured` makes, if one of the tables is there
   */
  assertNoTable<DB>(
    db: Kysely<DB>,
    tables: readonly string[],
    naming: TableNaming,
    isMissingTable: (error: unknown) => boolean,
  ): Promise<void>;

  /** The error for the caller: an explanation, or the error itself. */
  explained(error: unknown, database: DatabaseName, isNameTaken: (error: unknown) => boolean): unknown;
}

/** @param misconfigured makes the package's error */
export function migrationRefusals(
  names: MigrationNames,
  misconfigured: (text: string, cause?: unknown) => Error,
): MigrationRefusals {
  const nameTaken = (cause: unknown) => misconfigured(nameTakenText(names, cause), cause);
  return {
    refuseRecord(applied, naming) {
      const earlier = earlierState(names, applied);
      if (earlier !== undefined) {
        const tables = [...names.tables, names.record].map(naming.nameOf).join(', ');
        throw misconfigured(
          `The database is of an earlier state, ${earlier}, which this version cannot bring up to date: ` +
            `drop the tables ${tables}, with everything in them, and start again`,
        );
      }
      // A migration that no version of the package has: the record is of another program.
      const foreign = [...applied].find((name) => !names.number.test(name));
      if (foreign === undefined) return;
      const record = naming.nameOf(names.record);
      throw nameTaken(new Error(`Table '${record}' records ${foreign}, which is none of its migrations`));
    },

    async assertNoTable(db, tables, naming, isMissingTable) {
      const found = await findTable(db, tables, isMissingTable);
      if (found !== undefined) throw nameTaken(new Error(`Table '${naming.nameOf(found)}' already exists`));
    },

    explained(error, database, isNameTaken) {
      if (isRefused(error)) return misconfigured(lacksPrivilegesText(names, database, error), error);
      return isNameTaken(error) ? nameTaken(error) : error;
    },
  };
}

/** Why a name that is taken stops the migrations, and what to do. */
function nameTakenText({ packageName, migrate, stores }: MigrationNames, cause: unknown): string {
  return (
    `The database has a table or an index of a name that ${packageName} uses, and did not create it (${messageOf(cause)}): ` +
    `give ${migrate} and ${stores} the option tablePrefix, such as { tablePrefix: 'acme_' }. ` +
    `Where another tool applies the migrations of ${packageName}, do not call ${migrate}`
  );
}

/** Which privileges the role lacks, or which setting lets nobody write. */
function lacksPrivilegesText({ migrate }: MigrationNames, database: DatabaseName, cause: unknown): string {
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
 * not the name, of one of ours. Undefined if there is none.
 */
function earlierState(
  { number, migrations: ours }: MigrationNames,
  applied: Iterable<string>,
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
