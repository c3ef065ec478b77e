import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { drizzle as drizzleLibsql } from 'drizzle-orm/libsql';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import {
  type DrizzleTransaction,
  fromDrizzle,
} from '../../packages/toolkit/src/transactions/from-drizzle.ts';
import { type ConnectedHost, databaseAt, sqlitePathOf, type TransactionHost } from './transaction-host.ts';

const CONNECT = {
  postgres(url: string): ConnectedHost {
    const pool = new Pool({ connectionString: url });
    const db = drizzlePg(pool);
    return {
      transaction: (work) =>
        db.transaction((tx) =>
          work({ transaction: fromDrizzle(tx), run: (statement) => tx.execute(sql.raw(statement)) }),
        ),
      withoutTransaction: () => fromDrizzle(db as unknown as DrizzleTransaction),
      close: () => pool.end(),
    };
  },
  mysql(url: string): ConnectedHost {
    const pool = createPool({ uri: url });
    const db = drizzleMysql(pool);
    return {
      transaction: (work) =>
        db.transaction((tx) =>
          work({ transaction: fromDrizzle(tx), run: (statement) => tx.execute(sql.raw(statement)) }),
        ),
      withoutTransaction: () => fromDrizzle(db as unknown as DrizzleTransaction),
      close: () => pool.end(),
    };
  },
  sqlite(url: string): ConnectedHost {
    const client = createClient({ url: `file:${sqlitePathOf(url)}` });
    const db = drizzleLibsql(client);
    return {
      transaction: (work) =>
        db.transaction((tx) =>
          work({ transaction: fromDrizzle(tx), run: (statement) => tx.run(sql.raw(statement)) }),
        ),
      withoutTransaction: () => fromDrizzle(db as unknown as DrizzleTransaction),
      close: async () => client.close(),
    };
  },
};

export const host: TransactionHost = {
  name: 'Drizzle',
  module: import.meta.url,
  databases: ['postgres', 'mysql', 'sqlite'],
  connect: async (url) => CONNECT[databaseAt(url)](url),
};
