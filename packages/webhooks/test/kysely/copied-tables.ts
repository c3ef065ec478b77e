import { readFile, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { sqlitePathOf } from '../../../../test/transactions/transaction-host.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { migrateWebhooks } from '../../src/kysely/index.ts';

/** SQLite files with nothing but our tables, by the names of these. */
const files = new Map<string, Promise<Uint8Array>>();

/**
 * Puts our tables into a new SQLite file, before anything opens it: to create them anew takes
 * longer than most tests. The database of a server stays as it is, for its test to migrate.
 */
export async function copyTables(
  { url }: Pick<TestDatabase, 'url'>,
  names: TableNameOptions = {},
): Promise<void> {
  if (!url.startsWith('sqlite:')) return;
  const key = JSON.stringify(names);
  const file = files.get(key) ?? fileWithTables(names);
  files.set(key, file);
  await writeFile(sqlitePathOf(url), await file);
}

async function fileWithTables(names: TableNameOptions): Promise<Uint8Array> {
  const file = sqliteFile();
  const db = file.open();
  await migrateWebhooks(db, names);
  // Out of the log, which is not copied.
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  const content = await readFile(file.path);
  await file.remove();
  return content;
}
