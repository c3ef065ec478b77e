import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { IndexName } from '../names.ts';

/** How a database defines tables. */
export interface SchemaDialect {
  /** Whether definitions are part of a transaction, and rolled back with it. */
  readonly isTransactional: boolean;

  columnTypes<DB>(db: Kysely<DB>): Promise<ColumnTypes>;

  /**
   * Creates a table. Does nothing the second time where an interrupted run could not be rolled
   * back.
   */
  createTable<DB, Table extends string>(db: Kysely<DB>, table: CreateTableBuilder<Table>): Promise<void>;
  createIndex<DB>(db: Kysely<DB>, index: NewIndex): Promise<void>;
  /** Prepares a table whose rows change often, where an update leaves the old row in its place. */
  prepareForUpdates<DB>(db: Kysely<DB>, table: string): Promise<void>;

  /**
   * Runs `work` in one process at a time of those that migrate the tables of this name. After
   * contention it runs `work` again from its start. Each `step` is atomic, and is repeated after an
   * interruption.
   */
  exclusively<DB, Result>(
    db: Kysely<DB>,
    lockName: string,
    work: (step: MigrationStep<DB>) => Promise<Result>,
  ): Promise<Result>;
}

export type MigrationStep<DB> = <Done>(migrate: (db: Kysely<DB>) => Promise<Done>) => Promise<Done>;

/** Column types, and related definitions. */
export interface ColumnTypes {
  /** Ids, references and other numbers beyond 32 bits. */
  readonly bigInteger: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /**
   * Text of at most that many characters which compares and sorts byte for byte, suitable for an
   * index.
   */
  keyText(maxCharacters: number): RawBuilder<unknown>;
  /** Text of up to 64 KiB which compares and sorts byte for byte. */
  readonly text: RawBuilder<unknown>;
  /** Text of up to 16 MiB. */
  readonly longText: RawBuilder<unknown>;
  /** The default of a column of `text` or `longText`. */
  textDefault(value: string): RawBuilder<string>;
  /**
   * Makes an integer primary key generate its values and never give a removed row's value again.
   */
  generatedId(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Keeps a table's rows in the order of its primary key, where the database needs to be told. */
  clusterByKey<Table extends string>(table: CreateTableBuilder<Table>): CreateTableBuilder<Table>;
}

export interface NewIndex {
  readonly name: IndexName;
  readonly table: string;
  readonly columns: readonly string[];
  readonly isUnique?: boolean;
  /**
   * The index serves statements that ask for rows with these values. It has no other rows, where
   * the database supports that.
   */
  readonly where?: Readonly<Record<string, string | number>>;
  /** Another condition of a partial index, which is true of every row. */
  readonly always?: RawBuilder<boolean>;
}
