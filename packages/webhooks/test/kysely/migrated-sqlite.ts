import type { Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { copiedSqliteFiles, type SqliteFile, sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { migrateWebhooks } from '../../src/kysely/migrations/migrate.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';

const copy = copiedSqliteFiles(migrateWebhooks);

/** A SQLite file that is removed when the test has finished. */
export function newSqlite(): SqliteFile {
  return removedAfterwards(sqliteFile());
}

/** The same with the tables of the storage. */
async function newSqliteWithTables(): Promise<SqliteFile> {
  return removedAfterwards(await copy());
}

/** A connection to a new SQLite file with the tables of the storage. */
export async function migratedSqlite(): Promise<Kysely<WebhookTables>> {
  return (await newSqliteWithTables()).open<WebhookTables>();
}

function removedAfterwards(file: SqliteFile): SqliteFile {
  onTestFinished(() => file.remove());
  return file;
}
