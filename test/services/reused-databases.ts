import { type Kysely, sql } from 'kysely';
import type { OpenOptions, TestDatabase } from './test-database.ts';

type CreateDatabase = () => Promise<TestDatabase>;
type Administer = Kysely<unknown>;

/** Of one kind in one process: as many as its tests use at once. */
const MAX_FREE = 5;
/** How long the connections of an earlier test may take to end: 2 ms each time. */
const MAX_WAITS = 100;
/** From here on, PostgreSQL truncates a table faster than it deletes and passes over the rows. */
const LARGE_BYTES = 65_536;

/**
 * Makes databases with the tables of a package, all of them empty. A process uses one again once
 * its test is over: emptied in a few milliseconds, with ids from 1, where to create, migrate and drop them takes some hundred. It is dropped
 * instead if the test has left a connection, or has changed a table or what migrations recorded;
 * its own tables may stay.
 *
 * Two that are in use at once are two. One whose test never ends it is nobody else's.
 */
export function reusedDatabases(
  create: CreateDatabase,
  migrate: (db: Administer) => Promise<unknown>,
): CreateDatabase {
  const free: ReusedDatabase[] = [];
  const next = async (): Promise<ReusedDatabase> => {
    for (let last = free.pop(); last !== undefined; last = free.pop()) {
      if (await last.empty()) return last;
      await last.drop();
    }
    return await ReusedDatabase.create(await create(), migrate);
  };
  return async () => {
    const reused = await next();
    return reused.lend(async () => {
      if (free.length < MAX_FREE) free.push(reused);
      else await reused.drop();
    });
  };
}

class ReusedDatabase {
  readonly #database: TestDatabase;
  readonly #administer: Administer;
  readonly #server: Server;
  /** How the tables are defined. */
  readonly #definitions: string;

  private constructor(database: TestDatabase, administer: Administer, server: Server, definitions: string) {
    this.#database = database;
    this.#administer = administer;
    this.#server = server;
    this.#definitions = definitions;
  }

  static async create(database: TestDatabase, migrate: (db: Administer) => Promise<unknown>) {
    const server = new URL(database.url).protocol.startsWith('postgres') ? postgres : mysql;
    try {
      // Without our bound on locks: all schemas of a PostgreSQL database wait for one another here.
      const migrating: Administer = database.open();
      await migrate(migrating);
      await migrating.destroy();
      const administer: Administer = database.open({ maxConnections: 1, onConnect: server.onConnect });
      const definitions = await definitionsOf(server, administer);
      return new ReusedDatabase(database, administer, server, definitions);
    } catch (error) {
      await database.remove();
      throw error;
    }
  }

  /** For one test; `giveBack` is called once it is over. */
  lend(giveBack: () => Promise<void>): TestDatabase {
    const opened: { destroy(): Promise<void> }[] = [];
    let isOver = false;
    return {
      ...this.#database,
      open: <DB>(options?: OpenOptions) => {
        const db = this.#database.open<DB>(options);
        opened.push(db);
        return db;
      },
      async remove() {
        for (const db of opened) await db.destroy();
        if (!isOver) await giveBack();
        isOver = true;
      },
    };
  }

  /** True if the tables are now as they were made, and only we can reach them. */
  async empty(): Promise<boolean> {
    try {
      return (await this.#isFree()) && (await this.#hasItsTables()) && (await this.#hasNoRows());
    } catch {
      // Somebody holds a lock, or has ended the connection.
      return false;
    }
  }

  async drop(): Promise<void> {
    await this.#database.remove();
  }

  async #isFree(): Promise<boolean> {
    for (let waits = 0; waits < MAX_WAITS; waits += 1) {
      const { rows } = await this.#server.connections.execute(this.#administer);
      if (Number(rows[0]?.others) === 0) return true;
      // Not a timer, which tests may have faked.
      await this.#server.wait.execute(this.#administer);
    }
    return false;
  }

  async #hasItsTables(): Promise<boolean> {
    const tables = await this.#server.tables(this.#administer);
    for (const name of tables) {
      const isOurs = this.#definitions.includes(JSON.stringify(name));
      if (!isOurs) await sql`drop table ${sql.table(name)} cascade`.execute(this.#administer);
    }
    return (await definitionsOf(this.#server, this.#administer)) === this.#definitions;
  }

  async #hasNoRows(): Promise<true> {
    await this.#server.empty(this.#administer);
    return true;
  }
}

async function definitionsOf(server: Server, db: Administer): Promise<string> {
  const tables = await server.tables(db);
  const definitions: unknown[] = [tables, await server.definitions(db)];
  for (const name of tables.filter(recordsMigrations)) {
    const { rows } = await sql`select * from ${sql.table(name)} order by 1`.execute(db);
    definitions.push(rows);
  }
  return JSON.stringify(definitions);
}

function recordsMigrations(table: string): boolean {
  return table.endsWith('_migrations');
}

/** The statements of a server, on a connection to the database that is emptied. */
interface Server {
  /** Waits for no lock as long as a test may take. */
  readonly onConnect: string;
  readonly connections: ReturnType<typeof sql<{ others: unknown }>>;
  readonly wait: ReturnType<typeof sql>;
  tables(db: Administer): Promise<string[]>;
  definitions(db: Administer): Promise<unknown>;
  empty(db: Administer): Promise<unknown>;
}

const postgres: Server = {
  onConnect: "set lock_timeout = '2s'",
  connections: sql`select count(*) as others from pg_stat_activity
    where application_name = current_setting('application_name') and pid <> pg_backend_pid()`,
  wait: sql`select pg_sleep(0.002)`,
  async tables(db) {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`.execute(db);
    return rows.map(({ name }) => name);
  },
  async definitions(db) {
    const { rows } = await sql`select relname, relkind, relnatts, relchecks, relhastriggers, reloptions,
        relacl::text, (select string_agg(concat_ws(' ', attname, atttypid, atttypmod, attnotnull, atthasdef), ',')
          from pg_attribute where attrelid = pg_class.oid and attnum > 0)
      from pg_class where relnamespace = current_schema()::regnamespace
      union all select proname, 'p', 0, 0, false, null, null, null
      from pg_proc where pronamespace = current_schema()::regnamespace
      order by 1, 2`.execute(db);
    return rows;
  },
  empty: (db) =>
    sql`do $$ declare one record; begin
      for one in select oid::regclass as name, pg_relation_size(oid) as bytes from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname !~ '_migrations$'
      loop
        execute format(case when one.bytes > ${sql.lit(LARGE_BYTES)} then 'truncate %s cascade' else 'delete from %s' end, one.name);
      end loop;
      perform setval(oid::regclass, 1, false) from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'S';
    end $$`.execute(db),
};

const mysql: Server = {
  onConnect: 'set foreign_key_checks = 0, lock_wait_timeout = 2, innodb_lock_wait_timeout = 2',
  connections: sql`select count(*) as others from information_schema.processlist
    where db = database() and id <> connection_id()`,
  wait: sql`do sleep(0.002)`,
  async tables(db) {
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = database() and table_type = 'BASE TABLE' order by 1`.execute(db);
    return rows.map(({ name }) => name);
  },
  async definitions(db) {
    const definitions: string[] = [];
    for (const name of await mysql.tables(db)) {
      definitions.push((await statementOf(db, name)).replace(NEXT_ID, ''));
    }
    const { rows } = await sql`select trigger_name from information_schema.triggers
      where trigger_schema = database()`.execute(db);
    return [definitions, rows];
  },
  async empty(db) {
    const emptied = (await mysql.tables(db)).filter((table) => !recordsMigrations(table));
    await db.transaction().execute(async (transaction) => {
      for (const name of emptied) await sql`delete from ${sql.table(name)}`.execute(transaction);
    });
    for (const name of emptied) {
      const hasGivenIds = NEXT_ID.test(await statementOf(db, name));
      if (hasGivenIds) await sql`alter table ${sql.table(name)} auto_increment = 1`.execute(db);
    }
  },
};

/** Is not there while the next id is 1. */
const NEXT_ID = / AUTO_INCREMENT=\d+/;

async function statementOf(db: Administer, name: string): Promise<string> {
  const { rows } = await sql<Record<string, string>>`show create table ${sql.table(name)}`.execute(db);
  return rows[0]?.['Create Table'] ?? '';
}
