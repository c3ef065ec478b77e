import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Database from 'libsql';
import { openable, type TestDatabase } from '../../../../test/services/test-database.ts';

/** A SQLite file of its own in a temporary folder. */
export interface SqliteFile extends TestDatabase {
  readonly path: string;
  /** A new connection as a dialect, for a Kysely instance with options. */
  dialect(): Dialect;
}

/**
 * Creates the file with the settings that the guide recommends, but for the busy timeout: see
 * {@link openSqlite}.
 */
export function sqliteFile(): SqliteFile {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  const path = join(folder, 'webhooks.db');
  const dialect = () => new SqliteDialect({ database: openSqlite(path) });
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  return { path, dialect, ...openable(`sqlite:${path}`, dialect, remove) };
}

/**
 * Opens a connection that waits for no lock, so that each collision reaches the storage's retries:
 * two connections of one process could not wait for one another anyway.
 *
 * Statements are kept and run again. libsql 0.5.29 leaves a statement that met a lock in progress
 * until it runs again or is garbage, and no transaction of that connection commits meanwhile
 * (tursodatabase/libsql-js#237). The first statement of our transactions is always the same, so a
 * retry clears it. Remove with the fixed version.
 *
 * @param integers as what the driver answers them; default numbers
 */
export function openSqlite(path: string, integers: 'numbers' | 'BigInts' = 'numbers'): SqliteDatabase {
  const database = new Database(path);
  database.defaultSafeIntegers(integers === 'BigInts');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const statement = statements.get(text) ?? (database.prepare(text) as SqliteStatement);
      if (statements.size < 500) statements.set(text, statement);
      return statement;
    },
  };
}
