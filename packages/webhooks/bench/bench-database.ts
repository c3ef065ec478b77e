import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateWebhooks } from '@acme/webhooks/kysely';
import { CompiledQuery, Kysely, type LogEvent, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import type { WebhookTables } from '../src/kysely/tables.ts';

/** A database of a benchmark's own, with the tables in it. */
export interface BenchDatabase {
  readonly db: Kysely<WebhookTables>;
  /** Statements sent so far, `begin` and `commit` included. */
  statements(): number;
  remove(): Promise<void>;
}

/** A kind of database that benchmarks run on. */
export interface BenchServer {
  readonly name: string;
  open(options?: OpenOptions): Promise<BenchDatabase>;
}

export interface OpenOptions {
  /** Without the tables. Default: false. */
  readonly isEmpty?: boolean;
  /** The port of a proxy in front of PostgreSQL. Default: none. */
  readonly port?: number;
}

export const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
const MYSQL_URL = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test';
const POOL_SIZE = 10;

const sqlite: BenchServer = {
  name: 'SQLite on disk, WAL',
  async open(options) {
    const folder = mkdtempSync(join(tmpdir(), 'webhooks-bench-'));
    const database = new Database(join(folder, 'bench.db'));
    for (const pragma of ['busy_timeout = 5000', 'journal_mode = WAL', 'synchronous = NORMAL']) {
      database.pragma(pragma);
    }
    return opened(new SqliteDialect({ database }), options, async () => {
      rmSync(folder, { recursive: true, force: true });
    });
  },
};

export const postgres: BenchServer = {
  name: 'PostgreSQL',
  async open(options) {
    const schema = `bench_${randomBytes(6).toString('hex')}`;
    const admin = new Pool({ connectionString: POSTGRES_URL, max: 1 });
    await admin.query(`create schema ${schema}`);
    const url = new URL(POSTGRES_URL);
    if (options?.port !== undefined) url.port = String(options.port);
    const pool = new Pool({
      connectionString: url.href,
      max: POOL_SIZE,
      options: `-c search_path=${schema}`,
    });
    return opened(new PostgresDialect({ pool }), options, async () => {
      await admin.query(`drop schema ${schema} cascade`);
      await admin.end();
    });
  },
};

const mysql: BenchServer = {
  name: 'MySQL or MariaDB',
  async open(options) {
    const name = `bench_${randomBytes(6).toString('hex')}`;
    const admin = new Kysely<object>({ dialect: new MysqlDialect({ pool: createPool(MYSQL_URL) }) });
    await admin.executeQuery(CompiledQuery.raw(`create database ${name}`));
    const url = new URL(MYSQL_URL);
    url.pathname = `/${name}`;
    const pool = createPool({ uri: url.href, connectionLimit: POOL_SIZE });
    return opened(new MysqlDialect({ pool }), options, async () => {
      await admin.executeQuery(CompiledQuery.raw(`drop database ${name}`));
      await admin.destroy();
    });
  },
};

async function opened(
  dialect: SqliteDialect | PostgresDialect | MysqlDialect,
  { isEmpty = false }: OpenOptions = {},
  remove: () => Promise<void>,
): Promise<BenchDatabase> {
  let statements = 0;
  const log = ({ level }: LogEvent) => {
    if (level === 'query') statements += 1;
  };
  const db = new Kysely<WebhookTables>({ dialect, log });
  if (!isEmpty) await migrateWebhooks(db);
  return {
    db,
    statements: () => statements,
    async remove() {
      await db.destroy();
      await remove();
    },
  };
}

const ALL: readonly BenchServer[] = [sqlite, postgres, mysql];

/** The servers that answer; `BENCH_DATABASES=sqlite,postgres,mysql` names fewer. */
export async function benchServers(): Promise<readonly BenchServer[]> {
  const wanted = (process.env.BENCH_DATABASES ?? 'sqlite,postgres,mysql').split(',');
  const named = ['sqlite', 'postgres', 'mysql'].flatMap((name, index) => {
    const server = ALL[index];
    return server !== undefined && wanted.includes(name) ? [server] : [];
  });
  const answers = await Promise.all(named.map(doesAnswer));
  return named.filter((_, index) => answers[index]);
}

async function doesAnswer(server: BenchServer): Promise<boolean> {
  try {
    await (await server.open({ isEmpty: true })).remove();
    return true;
  } catch {
    console.log(`${server.name} does not answer: left out`);
    return false;
  }
}
