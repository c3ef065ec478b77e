import type { DatabaseName } from '../database-name.ts';
import { inTurn } from './in-turn.ts';
import type { SqlTransaction } from './sql-transaction.ts';

/** What is needed of a transaction of Prisma. */
export interface PrismaTransaction {
  $queryRawUnsafe(query: string, ...values: unknown[]): PromiseLike<unknown>;
}

const DATABASES: ReadonlyMap<unknown, DatabaseName> = new Map([
  ['postgresql', 'postgres'],
  ['postgres', 'postgres'],
  ['cockroachdb', 'postgres'],
  ['mysql', 'mysql'],
  ['sqlite', 'sqlite'],
]);

/** Where Prisma keeps the code of the database's own error: with a driver adapter, and without. */
interface RawQueryMeta {
  readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } };
  readonly code?: string;
}

/**
 * An interactive transaction of Prisma: what `prisma.$transaction(async (tx) => …)` passes to you.
 * Prisma rolls it back after 5 s unless its option `timeout` says otherwise.
 *
 * @throws TypeError for the client itself
 */
export function fromPrisma(tx: PrismaTransaction): SqlTransaction {
  if (typeof tx?.$queryRawUnsafe !== 'function' || ('$connect' in tx && tx.$connect !== undefined)) {
    throw new TypeError('fromPrisma takes the transaction that $transaction() passes on, not the client');
  }
  const { _activeProvider: provider } = tx as { _activeProvider?: unknown };
  return {
    database: DATABASES.get(provider),
    execute: inTurn(tx, async (sql, parameters) => {
      try {
        return (await tx.$queryRawUnsafe(sql, ...parameters)) as readonly object[];
      } catch (error) {
        const { meta } = error as { readonly meta?: RawQueryMeta };
        const code = meta?.driverAdapterError?.cause?.originalCode ?? meta?.code;
        if (code === undefined) throw error;
        throw Object.assign(new Error('a statement in a transaction of Prisma failed', { cause: error }), {
          code,
          errno: Number(code),
        });
      }
    }),
  };
}
