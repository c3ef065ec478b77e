import { type Dialect, Kysely, type KyselyPlugin, type LogEvent } from 'kysely';
import { onTestFinished } from 'vitest';

/** An empty database for one test, dropped when the test is over. */
export interface TestDatabase {
  /** Where another process finds it. */
  readonly url: string;
  /** Of `createPostgresSchemas`: the schema that only its name finds. */
  readonly otherSchema?: string;
  /** Another instance on it with connections of its own, as another process would have. */
  open<DB>(options?: OpenOptions): Kysely<DB>;
  /** Closes every instance that `open` made, and removes the database. */
  remove(): Promise<void>;
}

export interface OpenOptions {
  /** A statement that every new connection begins with. */
  readonly onConnect?: string;
  /** Of a server: the connections of the instance. SQLite has one. */
  readonly maxConnections?: number;
  readonly plugins?: KyselyPlugin[];
  readonly log?: (event: LogEvent) => void;
}

/** Makes a dialect with connections of its own. */
export type DialectFactory = (options: Pick<OpenOptions, 'onConnect' | 'maxConnections'>) => Dialect;

/** Opens instances on new connections, and closes them all before the database is dropped. */
export function openable(url: string, dialect: DialectFactory, drop: () => Promise<void>): TestDatabase {
  const opened: { destroy(): Promise<void> }[] = [];
  return {
    url,
    open<DB>({ plugins = [], log, ...connections }: OpenOptions = {}) {
      const db = new Kysely<DB>({ dialect: dialect(connections), plugins, ...(log && { log }) });
      opened.push(db);
      return db;
    },
    async remove() {
      for (const db of opened) await db.destroy();
      await drop();
    },
  };
}

/** The same database, which is removed once the test has finished. */
export function untilFinished<Database extends Pick<TestDatabase, 'remove'>>(database: Database): Database {
  onTestFinished(() => database.remove());
  return database;
}
