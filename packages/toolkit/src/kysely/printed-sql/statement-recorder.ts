import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseName } from '../../database-name.ts';

type Parts = Omit<Dialect, 'createDriver'>;

const DIALECTS: Readonly<Record<DatabaseName, Parts>> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  mysql: {
    createAdapter: () => new MysqlAdapter(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
};

/** A database that executes nothing. */
export interface StatementRecorder {
  readonly db: Kysely<unknown>;
  /** The statements so far, each one line. */
  readonly statements: readonly string[];
}

/**
 * Records statements instead of executing them. A `select` is not recorded; it finds `rows`, which
 * stand for what the later database knows of itself.
 */
export function recordStatements(
  dialect: DatabaseName,
  rows: readonly Readonly<Record<string, unknown>>[] = [],
): StatementRecorder {
  const statements: string[] = [];
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (/^\s*select\b/.test(sql)) return { rows: rows as Row[] };
      if (parameters.length > 0) throw new Error('A statement with parameters cannot be printed');
      statements.push(sql.replaceAll(/\s*\n\s*/g, ' '));
      return { rows: [] };
    },
    async *streamQuery() {},
  };
  class RecordingDriver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return connection;
    }
  }
  const db = new Kysely<unknown>({
    dialect: { ...DIALECTS[dialect], createDriver: () => new RecordingDriver() },
  });
  return { db, statements };
}

/** Names of {@link DatabaseName}. */
export const PRINTED_DIALECTS: readonly string[] = Object.keys(DIALECTS);
