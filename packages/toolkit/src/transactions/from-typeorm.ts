import type { DatabaseName } from '../database-name.ts';
import { inTurn } from './in-turn.ts';
import type { SqlTransaction } from './sql-transaction.ts';

interface QueryRunner {
  readonly isTransactionActive: boolean;
  query(sql: string, parameters: unknown[], useStructuredResult: true): Promise<{ records: object[] }>;
}

/** What is needed of an entity manager of TypeORM 0.3 or 1. */
export interface TypeormManager {
  readonly queryRunner?: QueryRunner | undefined;
}

const DATABASES: readonly (readonly [RegExp, DatabaseName])[] = [
  [/postgres|cockroach/, 'postgres'],
  [/mysql|mariadb/, 'mysql'],
  [/sqlite|sqljs|libsql/, 'sqlite'],
];

/**
 * A transaction of TypeORM: the manager that `dataSource.transaction(async (manager) => …)` passes
 * to you, or that of a query runner that has started one.
 *
 * @throws TypeError for a manager outside a transaction, such as `dataSource.manager`
 */
export function fromTypeorm(manager: TypeormManager): SqlTransaction {
  const runner = openRunnerOf(manager);
  const { dataSource, connection } = manager as { dataSource?: DataSource; connection?: DataSource };
  const type = String((dataSource ?? connection)?.options?.type);
  return {
    database: DATABASES.find(([pattern]) => pattern.test(type))?.[1],
    execute: inTurn(runner, async (sql, parameters) => {
      const { records } = await runner.query(sql, [...parameters], true);
      return records ?? [];
    }),
    assertOpen: () => void openRunnerOf(manager),
  };
}

interface DataSource {
  readonly options?: { readonly type?: string };
}

function openRunnerOf(manager: TypeormManager | null | undefined): QueryRunner {
  const runner = manager?.queryRunner;
  if (runner?.isTransactionActive === true) return runner;
  throw new TypeError('the manager of TypeORM is in no transaction: pass on that of transaction()');
}
