import { createPool } from 'mysql2/promise';
import { fromMysql2 } from '../../packages/toolkit/src/transactions/from-mysql2.ts';
import type { TransactionHost } from './transaction-host.ts';

export const host: TransactionHost = {
  name: 'mysql2',
  module: import.meta.url,
  databases: ['mysql'],
  async connect(url) {
    // With settings that would change the form of rows, which an application may have.
    const pool = createPool({ uri: url, rowsAsArray: true, namedPlaceholders: true });
    return {
      async transaction(work) {
        const connection = await pool.getConnection();
        try {
          await connection.beginTransaction();
          const result = await work({
            transaction: fromMysql2(connection),
            run: (statement) => connection.query(statement),
          });
          await connection.commit();
          return result;
        } catch (error) {
          await connection.rollback();
          throw error;
        } finally {
          connection.release();
        }
      },
      withoutTransaction: () => fromMysql2(pool),
      close: () => pool.end(),
    };
  },
};
