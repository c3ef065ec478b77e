import { createConnection as createCallbackConnection, createPool as createCallbackPool } from 'mysql2';
import { type Connection, createConnection, createPool } from 'mysql2/promise';
import { describe, expect, test } from 'vitest';
import { MYSQL_URL, mysqlSkipped } from '../../../../test/services/servers.ts';
import { fromMysql2 } from '../../src/transactions/from-mysql2.ts';

const skipped = await mysqlSkipped();

describe('a transaction of mysql2', () => {
  const it = test.skipIf(skipped);

  async function withConnection(work: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = await createConnection(MYSQL_URL);
    try {
      await work(connection);
    } finally {
      await connection.end();
    }
  }

  it('is open from beginTransaction() to commit()', () =>
    withConnection(async (connection) => {
      const { assertOpen = () => {} } = fromMysql2(connection);
      await expect(assertOpen()).rejects.toThrow('in no transaction');
      await connection.beginTransaction();
      await assertOpen();
      await connection.commit();
      await expect(assertOpen()).rejects.toThrow(TypeError);
    }));

  it('is always open where the connection commits nothing by itself', () =>
    withConnection(async (connection) => {
      await connection.query('set autocommit = 0');
      await fromMysql2(connection).assertOpen?.();
    }));

  it('is also one of a connection with callbacks', async () => {
    const connection = createCallbackConnection(MYSQL_URL);
    try {
      await connection.promise().beginTransaction();
      const transaction = fromMysql2(connection);
      await transaction.assertOpen?.();
      expect(await transaction.execute('select ? as n', [1])).toEqual([{ n: 1 }]);
    } finally {
      connection.destroy();
    }
  });

  it('is refused where the connection replaces placeholders in a way of its own', async () => {
    const connection = await createConnection({ uri: MYSQL_URL, queryFormat: (text: string) => text });
    expect(() => fromMysql2(connection)).toThrow('no connection with queryFormat');
    await connection.end();
  });

  test('is none of a pool, nor of anything else', async () => {
    const [callbacks, promises] = [createCallbackPool({}), createPool({})];
    expect(() => fromMysql2(callbacks)).toThrow('not a pool');
    expect(() => fromMysql2(promises)).toThrow('not a pool');
    await promises.end();
    callbacks.end();
    expect(() => fromMysql2(undefined as never)).toThrow(TypeError);
    expect(() => fromMysql2({} as never)).toThrow(TypeError);
  });
});
