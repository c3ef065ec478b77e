import { Pool } from 'pg';
import { fromPg } from '../../packages/toolkit/src/transactions/from-pg.ts';
import type { TransactionHost } from './transaction-host.ts';

export const host: TransactionHost = {
  name: 'pg',
  module: import.meta.url,
  databases: ['postgres'],
  async connect(url) {
    const pool = new Pool({ connectionString: url });
    return {
      async transaction(work) {
        const client = await pool.connect();
        try {
          await client.query('begin');
          const result = await work({
            transaction: fromPg(client),
            run: (statement) => client.query(statement),
          });
          await client.query('commit');
          return result;
        } catch (error) {
          await client.query('rollback');
          throw error;
        } finally {
          client.release();
        }
      },
      // @ts-expect-error A pool is no client.
      withoutTransaction: () => fromPg(pool),
      close: () => pool.end(),
    };
  },
};
