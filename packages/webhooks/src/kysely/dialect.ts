import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Expression,
  type Kysely,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely';
import type { Tables } from './tables.ts';

/** What the storage needs to know of a database, each difference named once. */
export interface WebhookDialect {
  readonly name: 'sqlite';

  /** Makes an integer primary key generate its values and never give a removed row's value again. */
  generatedId(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;

  /** Keeps a table's rows in the order of its primary key, where the database can be told to. */
  clusterByKey<Table extends string>(table: CreateTableBuilder<Table>): CreateTableBuilder<Table>;

  /** 32 random hex characters, another for every row of a statement. */
  randomHex(): RawBuilder<string>;

  /** Whether the text contains `part`: ASCII letters compare without case, every other character by itself. */
  containsText(text: Expression<string>, part: string): RawBuilder<boolean>;

  /** A column to compare with, past its indexes where the database lets a statement say so: another one serves better. */
  pastIndexes<Type>(column: Expression<Type>): RawBuilder<Type>;

  /**
   * Makes a transaction that just began a writer, where the database tells readers and writers apart and fails
   * those that change over.
   */
  becomeWriter(tables: Tables): Promise<void>;

  /** Whether the error says that another connection was in the way: the same transaction may succeed in a moment. */
  isContention(error: unknown): boolean;
}

/** Primary result codes, https://www.sqlite.org/rescode.html: SQLITE_BUSY and SQLITE_LOCKED. */
const SQLITE_CONTENTION_CODES: readonly number[] = [5, 6];

const sqlite: WebhookDialect = {
  name: 'sqlite',
  generatedId: (column) => column.autoIncrement(),
  clusterByKey: (table) => table.modifyEnd(sql`without rowid`),
  randomHex: () => sql<string>`lower(hex(randomblob(16)))`,
  // `lower` folds ASCII alone; `like` would give `%` and `_` a meaning and obeys a pragma of the host's.
  containsText: (text, part) => sql<boolean>`instr(lower(${text}), ${lowerCaseAscii(part)}) > 0`,
  // https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
  pastIndexes: <Type>(column: Expression<Type>) => sql<Type>`+${column}`,
  async becomeWriter(tables) {
    // Kysely begins as a reader. One that reads, and writes after others wrote, fails with SQLITE_BUSY_SNAPSHOT at
    // once, whatever the busy timeout (https://www.sqlite.org/isolation.html); a write that finds no row (ids are positive) prevents it.
    await tables
      .updateTable('webhooks')
      .set((webhook) => ({ is_active: webhook.ref('is_active') }))
      .where('id', '=', 0)
      .execute();
  },
  isContention(error) {
    if (typeof error !== 'object' || error === null) return false;
    // better-sqlite3 and libsql name the code; node:sqlite and Bun give its number, extended codes in the high bytes.
    if ('code' in error && typeof error.code === 'string') {
      if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return true;
    }
    const number = 'errcode' in error ? error.errcode : 'errno' in error ? error.errno : undefined;
    return typeof number === 'number' && SQLITE_CONTENTION_CODES.includes(number & 0xff);
  },
};

/**
 * The dialect that `db` speaks, told by its adapter: so third-party drivers for a known database are known too.
 *
 * @throws TypeError when the database is not supported: refused here, rather than written to in a wrong way
 */
export function dialectOf<DB>(db: Kysely<DB>): WebhookDialect {
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter || hasClassName(adapter, 'SqliteAdapter')) return sqlite;
  throw new TypeError(`db must be a Kysely instance for SQLite; its adapter is ${adapter.constructor.name}`);
}

/** Recognises an adapter of another copy of Kysely: an application may load both its ESM and its CommonJS build. */
function hasClassName(value: object, name: string): boolean {
  let prototype: unknown = Object.getPrototypeOf(value);
  // An adapter is one or two classes deep.
  for (let depth = 0; depth < 8 && typeof prototype === 'object' && prototype !== null; depth++) {
    if (prototype.constructor.name === name) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}

function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
