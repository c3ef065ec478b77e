import { migrateAuth } from '@acme/auth/kysely';
import { migrateWebhooks } from '@acme/webhooks/kysely';
import { type Generated, Kysely, type Selectable, SqliteDialect } from 'kysely';
import Database from 'libsql';

/** The shop's own tables. Those of the libraries are in the same database. */
export interface Tables {
  readonly orders: {
    readonly id: Generated<number>;
    readonly uid: string;
    readonly item: string;
    readonly quantity: number;
    readonly created_at: string;
  };
}

export type Order = Selectable<Tables['orders']>;

/** Opens the database, creates it if there is none, and brings its tables up to date. */
export async function openDatabase(file: string): Promise<Kysely<Tables>> {
  const sqlite = new Database(file);
  // This setting survives a kill of the process. To survive power cuts, set synchronous = FULL.
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('busy_timeout = 5000');
  sqlite.pragma('foreign_keys = ON');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  await migrateAuth(db);
  await migrateWebhooks(db);
  await db.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('item', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  return db;
}
