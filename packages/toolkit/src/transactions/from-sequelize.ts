import type { DatabaseName } from '../database-name.ts';
import { inTurn } from './in-turn.ts';
import type { SqlTransaction } from './sql-transaction.ts';

/** What is needed of a transaction of Sequelize 6. */
export interface SequelizeTransaction {
  afterCommit(hook: never): void;
  rollback(): Promise<void>;
}

/** What Sequelize's types leave out. */
interface KnownTransaction {
  readonly sequelize?: {
    getDialect(): string;
    query(sql: string, options: object): Promise<readonly object[]>;
  };
  readonly connection?: object;
  readonly finished?: string;
  /** Of a nested transaction. */
  readonly parent?: KnownTransaction;
}

const DATABASES: ReadonlyMap<string, DatabaseName> = new Map([
  ['postgres', 'postgres'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
]);

/**
 * A transaction of Sequelize on PostgreSQL, MySQL or MariaDB: what
 * `sequelize.transaction(async (transaction) => …)` passes or resolves to.
 *
 * @throws TypeError for the Sequelize instance itself, and for another dialect
 */
export function fromSequelize(transaction: SequelizeTransaction): SqlTransaction {
  const known = (transaction ?? {}) as KnownTransaction;
  const { sequelize, connection } = known;
  const database = DATABASES.get(sequelize?.getDialect() ?? '');
  if (sequelize === undefined || connection === undefined || database === undefined) {
    throw new TypeError(
      'fromSequelize takes the transaction that sequelize.transaction() passes on, not the instance, of the dialect postgres, mysql or mariadb',
    );
  }
  // On MySQL and MariaDB, `bind` would want `$1`, and prepare each statement on the server.
  const kind = database === 'postgres' ? 'bind' : 'replacements';
  // Whatever the application has set for its own queries. A log would have every value.
  const settings = { transaction, plain: false, logging: false };
  return {
    database,
    execute: inTurn(connection, async (sql, parameters) => {
      // Elsewhere, what writes has no rows, and what reads must say so: RAW fails with mariadb 3.4.
      const hasRows = database === 'postgres' || /^(select|with)\b/.test(sql);
      const options = { ...settings, type: hasRows ? 'SELECT' : 'RAW', [kind]: [...parameters] };
      try {
        const rows = await sequelize.query(sql, options);
        return hasRows ? rows : [];
      } catch (error) {
        throw driverErrorOf(error);
      }
    }),
    assertOpen() {
      for (let each: KnownTransaction | undefined = known; each; each = each.parent) {
        if (each.finished !== undefined) throw new TypeError('the transaction of Sequelize has ended');
      }
    },
  };
}

/** The driver's error. That of mariadb quotes the statement in its message, cut off within a value. */
function driverErrorOf(error: unknown): unknown {
  const { parent } = error as { readonly parent?: Error & { readonly sqlMessage?: string } };
  return parent ? Object.assign(parent, { message: parent.sqlMessage ?? parent.message }) : error;
}
