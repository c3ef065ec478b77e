import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseName } from '../../database-name.ts';
import { refuseUnknownOptions } from '../../options.ts';
import { TABLE_NAME_OPTIONS, type TableNameOptions } from '../table-names/table-name-options.ts';
import type { TableNaming } from '../table-names/table-naming.ts';
import { ANY_COLLATION } from './any-collation.ts';
import { PRINTED_DIALECTS, recordStatements } from './statement-recorder.ts';

export interface MigrationsSqlOptions extends TableNameOptions {
  /**
   * The name of a migration: only those after it are printed, for a database that has it. Default:
   * all, for a database that has none.
   */
  readonly after?: string | undefined;
}

/** What a package prints of its migrations. */
export interface PrintedMigrations {
  readonly migrations: Readonly<Record<string, { up(db: Kysely<unknown>): Promise<void> }>>;
  /** The name of `migrations` in the package, for messages. */
  readonly listName: string;
  /** The table that records the applied migrations by `name` and `applied_at`. */
  readonly record: string;
  /** Creates the record. */
  createRecord(db: Kysely<unknown>): Promise<void>;
  naming(db: Kysely<unknown>, names: TableNameOptions, dialect: DatabaseName): TableNaming;
  /** The present by the clock of the database. */
  readonly now: Readonly<Record<DatabaseName, RawBuilder<unknown>>>;
}

/** The functions by which a package prints its migrations. */
export interface MigrationPrinter {
  /**
   * Prints what the package's `migrateAuth` or `migrateWebhooks` would execute, for an application
   * whose migrations are SQL files. The database is then the same, and that function finds it up to
   * date.
   *
   * Each statement is one line that ends in a semicolon. There is no `begin` and no `commit`:
   * execute the text in one transaction, except on MySQL and MariaDB, which have none for
   * definitions. The text for `mysql` fits both of them.
   *
   * ```ts
   * writeFileSync('migrations/0007_acme.sql', await migrationsSql('postgres', { tablePrefix: 'acme_' }));
   * ```
   *
   * @throws TypeError when the dialect or an option is unknown or out of bounds
   */
  migrationsSql(dialect: DatabaseName, options?: MigrationsSqlOptions): Promise<string>;

  /**
   * Returns the statements of `migrationsSql` one by one, without semicolons, for a tool or a
   * driver that executes a single statement at a time.
   *
   * ```ts
   * // For drizzle-kit, into the file that `drizzle-kit generate --custom` made:
   * const text = (await migrationStatements('mysql')).join('\n--> statement-breakpoint\n');
   * ```
   *
   * @throws TypeError when the dialect or an option is unknown or out of bounds
   */
  migrationStatements(dialect: DatabaseName, options?: MigrationsSqlOptions): Promise<string[]>;
}

export function migrationPrinter(printed: PrintedMigrations): MigrationPrinter {
  return {
    async migrationsSql(dialect, options = {}) {
      const statements = await printMigrations('migrationsSql', printed, dialect, options);
      return statements.map((statement) => `${statement};\n`).join('');
    },
    migrationStatements: (dialect, options = {}) =>
      printMigrations('migrationStatements', printed, dialect, options),
  };
}

/**
 * Returns the statements that apply the migrations after `after`, or all without it, each one line.
 *
 * @param taker the public function whose options they are
 * @throws TypeError when the dialect or an option is unknown, or `after` is none of the migrations
 */
async function printMigrations(
  taker: string,
  { migrations, listName, record, createRecord, naming, now }: PrintedMigrations,
  dialect: DatabaseName,
  options: MigrationsSqlOptions,
): Promise<string[]> {
  refuseUnknownOptions(taker, options, [...TABLE_NAME_OPTIONS, 'after']);
  const { after, ...names } = options;
  if (!PRINTED_DIALECTS.includes(dialect)) {
    throw new TypeError(`dialect must be one of ${PRINTED_DIALECTS.join(', ')}`);
  }
  const all = Object.entries(migrations);
  const first = all.findIndex(([name]) => name === after) + 1;
  if (after !== undefined && first === 0) throw new TypeError(`after must be a name in ${listName}`);
  const { db, statements } = recordStatements(dialect, [ANY_COLLATION]);
  const tables = naming(db, names, dialect);
  const named = tables.on(db);
  if (first === 0) {
    if (tables.schema !== undefined) await db.schema.createSchema(tables.schema).ifNotExists().execute();
    await createRecord(named);
  }
  for (const [name, { up }] of all.slice(first)) {
    await up(named);
    await sql`insert into ${sql.table(record)} (${sql.ref('name')}, ${sql.ref('applied_at')})
      values (${sql.lit(name)}, ${now[dialect]})`.execute(named);
  }
  return [...statements];
}
