import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Database from 'libsql';
import { openable, type TestDatabase } from '../../../../test/services/test-database.ts';

/** A SQLite file of its own in a temporary folder. */
export interface SqliteFile extends TestDatabase {
  readonly path: string;
}

/**
 * Creates the file with the settings that the guide recommends, but for the busy timeout: see
 * {@link openSqlite}.
 */
export function sqliteFile(): SqliteFile {
  const folder = mkdtempSync(join(tmpdir(), 'auth-'));
  const path = join(folder, 'auth.db');
  const dialect = () => new SqliteDialect({ database: openSqlite(path) });
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { path, ...openable(`sqlite:${path}`, dialect, remove) };
}

/**
 * Opens a connection that waits for no lock, so that each collision reaches the stores' retries:
 * two connections of one process could not wait for one another anyway.
 *
 * libsql 0.5.29 leaves a statement that met a lock in progress until it is garbage
 * (tursodatabase/libsql-js#237), and a read in between then fixes what the connection sees of the
 * database: every later write fails. Such a connection is replaced once its transaction has ended.
 * Remove with the fixed version.
 */
function openSqlite(path: string): SqliteDatabase {
  let database = connect(path);
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
        database = connect(path);
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

function connect(path: string) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  return database;
}
