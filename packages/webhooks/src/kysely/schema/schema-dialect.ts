import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';

/** How a database defines tables. */
export interface SchemaDialect {
  columnTypes<DB>(db: Kysely<DB>): Promise<ColumnTypes>;

  /** Creates a table; again does nothing, where an interrupted run could not be rolled back. */
  createTable<DB, Table extends string>(db: Kysely<DB>, table: CreateTableBuilder<Table>): Promise<void>;
  createIndex<DB>(db: Kysely<DB>, index: NewIndex): Promise<void>;
  /** Fills pages of a table to so many percent with new rows, where an update leaves the row before it in its place. */
  setFillFactor<DB>(db: Kysely<DB>, table: string, percent: number): Promise<void>;

  /**
   * Runs `work` alone among all processes that migrate this database; it may be run again from its start when another
   * connection is in the way. What `step` runs is done whole or not at all, and once more after an interruption.
   */
  alone<DB, Result>(db: Kysely<DB>, work: (step: MigrationStep<DB>) => Promise<Result>): Promise<Result>;
}

export type MigrationStep<DB> = <Done>(migrate: (db: Kysely<DB>) => Promise<Done>) => Promise<Done>;

/** Types of columns, and what goes with them. */
export interface ColumnTypes {
  /** Ids, references and other numbers beyond 32 bits. */
  readonly bigInteger: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** Text of at most that many characters which compares and sorts byte for byte, fit for an index. */
  keyText(maxCharacters: number): RawBuilder<unknown>;
  /** Text of up to 64 KiB which compares and sorts byte for byte. */
  readonly text: RawBuilder<unknown>;
  /** Text of up to 16 MiB. */
  readonly longText: RawBuilder<unknown>;
  /** The default of a column of `text` or `longText`. */
  textDefault(value: string): RawBuilder<string>;
  /** Makes an integer primary key generate its values and never give a removed row's value again. */
  generatedId(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Keeps a table's rows in the order of its primary key, where the database has to be told. */
  clusterByKey<Table extends string>(table: CreateTableBuilder<Table>): CreateTableBuilder<Table>;
}

export interface NewIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly isUnique?: boolean;
  /** The statements that it serves ask for rows with these values: it holds no others, where the database can do that. */
  readonly where?: Readonly<Record<string, string | number>>;
}
