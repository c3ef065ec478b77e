import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Dialect,
  type Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
  sql,
} from 'kysely';
import Database from 'libsql';
import { openable, type TestDatabase } from './test-database.ts';

/** A SQLite file of its own in a temporary folder. */
export interface SqliteFile extends TestDatabase {
  readonly path: string;
  /** A new connection as a dialect, for a Kysely instance with options. */
  dialect(): Dialect;
}

/**
 * Creates the file with the settings that the guide recommends, but for two: the busy timeout, see
 * {@link openSqlite}, and `synchronous`. Waiting for the disk takes longer than most tests, and
 * none of them cuts the power: a process that is killed loses nothing.
 */
export function sqliteFile(): SqliteFile {
  const folder = mkdtempSync(join(tmpdir(), 'acme-'));
  const path = join(folder, 'test.db');
  const dialect = () => new SqliteDialect({ database: openSqlite(path) });
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { path, dialect, ...openable(`sqlite:${path}`, dialect, remove) };
}

/**
 * Makes files with the tables of a package: copies, since to create the tables anew takes longer
 * than most tests.
 */
export function copiedSqliteFiles(
  migrate: (db: Kysely<unknown>) => Promise<unknown>,
): () => Promise<SqliteFile> {
  let original: Promise<SqliteFile> | undefined;
  return async () => {
    original ??= fileWithTables(migrate);
    const file = sqliteFile();
    copyFileSync((await original).path, file.path);
    return file;
  };
}

async function fileWithTables(migrate: (db: Kysely<unknown>) => Promise<unknown>): Promise<SqliteFile> {
  const file = sqliteFile();
  const db = file.open<unknown>();
  await migrate(db);
  // Out of the log, which is not copied.
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  await db.destroy();
  process.once('exit', () => rmSync(dirname(file.path), { recursive: true, force: true }));
  return file;
}

/**
 * Opens a connection that waits for no lock, so that each collision reaches our retries:
 * two connections of one process could not wait for one another anyway.
 *
 * libsql 0.5.29 leaves a statement that met a lock in progress until it is garbage
 * (tursodatabase/libsql-js#237), and a read in between then fixes what the connection sees of the
 * database: every later write fails. Such a connection is replaced once its transaction has ended.
 * Remove with the fixed version.
 *
 * @param integers as what the driver answers them; default numbers
 */
export function openSqlite(path: string, integers: 'numbers' | 'BigInts' = 'numbers'): SqliteDatabase {
  const connect = () => connectTo(path, integers);
  let database = connect();
  let hasMetLock = false;
  const noticing = <Result>(run: (parameters: readonly unknown[]) => Result) => {
    return (parameters: readonly unknown[]) => {
      try {
        return run(parameters);
      } catch (error) {
        hasMetLock ||= /^SQLITE_BUSY/.test(Object(error).code);
        throw error;
      }
    };
  };
  return {
    close: () => database.close(),
    prepare(text) {
      if (hasMetLock && !database.inTransaction) {
        database.close();
        database = connect();
        hasMetLock = false;
      }
      const statement = database.prepare(text) as SqliteStatement;
      return {
        reader: statement.reader,
        all: noticing((parameters) => statement.all(parameters)),
        run: noticing((parameters) => statement.run(parameters)),
        iterate: (parameters) => statement.iterate(parameters),
      };
    },
  };
}

function connectTo(path: string, integers: 'numbers' | 'BigInts') {
  const database = new Database(path);
  database.defaultSafeIntegers(integers === 'BigInts');
  // First: the change of the journal waits for the disk, too.
  database.pragma('synchronous = OFF');
  database.pragma('journal_mode = WAL');
  return database;
}
