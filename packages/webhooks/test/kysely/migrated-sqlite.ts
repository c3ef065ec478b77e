import type { Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { type SqliteFile, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { copyTables } from './copied-tables.ts';

/** A SQLite file that is removed when the test has finished. */
export function newSqlite(): SqliteFile {
  const file = sqliteFile();
  onTestFinished(() => file.remove());
  return file;
}

/** A connection to a new SQLite file with the tables of the storage. */
export async function migratedSqlite(): Promise<Kysely<WebhookTables>> {
  const file = newSqlite();
  await copyTables(file);
  return file.open<WebhookTables>();
}
