import { Sequelize } from 'sequelize';
import {
  fromSequelize,
  type SequelizeTransaction,
} from '../../packages/toolkit/src/transactions/from-sequelize.ts';
import type { TransactionHost } from './transaction-host.ts';

export const host: TransactionHost = {
  name: 'Sequelize',
  module: import.meta.url,
  databases: ['postgres', 'mysql'],
  async connect(url) {
    // Its dialect is the URL's protocol: that of MariaDB has a driver of its own.
    const sequelize = new Sequelize(url.replace(/^mysql:/, 'mariadb:'), { logging: false });
    return {
      transaction: (work) =>
        sequelize.transaction((transaction) =>
          work({
            transaction: fromSequelize(transaction),
            run: (statement) => sequelize.query(statement, { transaction }),
          }),
        ),
      withoutTransaction: () => fromSequelize(sequelize as unknown as SequelizeTransaction),
      close: () => sequelize.close(),
    };
  },
};
