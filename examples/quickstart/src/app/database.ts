import { migrateAuth } from '@acme/auth/kysely';
import { migrateWebhooks } from '@acme/webhooks/kysely';
import { type Generated, Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { StartError } from '../processes/start-error.ts';

/** The application's own tables. The tables of the libraries are in the same database. */
export interface Tables {
  readonly orders: {
    readonly id: Generated<number>;
    readonly uid: string;
    readonly item: string;
    readonly quantity: number;
    readonly created_at: string;
  };
}

/**
 * Opens the database file, creates it if there is none, and brings its tables up to date.
 *
 * @throws StartError when the file cannot be opened, or is not a database
 */
export async function openDatabase(file: string): Promise<Kysely<Tables>> {
  try {
    const sqlite = new Database(file);
    // This setting survives a kill of the process. To survive power cuts, set synchronous = FULL.
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    // libsql does not recover well from a timeout that ran out; with better-sqlite3 250 is enough.
    sqlite.pragma('busy_timeout = 5000');
    sqlite.pragma('foreign_keys = ON');
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
    await migrateAuth(db);
    await migrateWebhooks(db);
    await createOrders(db);
    return db;
  } catch (error) {
    throw new StartError(
      `The database file ${file} cannot be opened: ${reasonOf(error)}\nChoose another one:\n  DATABASE_FILE=/tmp/demo.db npm run demo`,
    );
  }
}

async function createOrders(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('item', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // libsql reports only the number, 14 for SQLITE_CANTOPEN: https://www.sqlite.org/rescode.html
  const isRefusedBySystem = /: 14"?\)?$/.test(message);
  return isRefusedBySystem ? 'its folder is missing, or may not be written to, or it is a folder' : message;
}
