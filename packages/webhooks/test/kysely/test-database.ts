import { type Dialect, Kysely, type KyselyPlugin, type LogEvent } from 'kysely';

/** An empty database for one test, dropped when the test is over. */
export interface TestDatabase {
  /** Where another process finds it: see `dialectAt`. */
  readonly url: string;
  /** Another instance on it with connections of its own, as another process would have. */
  open<DB>(options?: OpenOptions): Kysely<DB>;
  /** Closes every instance that `open` made, and removes the database. */
  remove(): Promise<void>;
}

export interface OpenOptions {
  /** A statement that every new connection begins with. */
  readonly onConnect?: string;
  readonly plugins?: KyselyPlugin[];
  readonly log?: (event: LogEvent) => void;
}

/** Makes a dialect with connections of its own. */
export type DialectFactory = (options: Pick<OpenOptions, 'onConnect'>) => Dialect;

/** Opens instances on new connections, and closes them all before the database is dropped. */
export function openable(url: string, dialect: DialectFactory, drop: () => Promise<void>): TestDatabase {
  const opened: { destroy(): Promise<void> }[] = [];
  return {
    url,
    open<DB>({ onConnect, ...options }: OpenOptions = {}) {
      const db = new Kysely<DB>({
        dialect: dialect(onConnect === undefined ? {} : { onConnect }),
        ...options,
      });
      opened.push(db);
      return db;
    },
    async remove() {
      for (const db of opened) await db.destroy();
      await drop();
    },
  };
}
