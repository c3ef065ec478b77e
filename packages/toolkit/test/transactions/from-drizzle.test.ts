import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session';
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { createMysqlDatabase, createPostgresSchema } from '../../../../test/services/server-databases.ts';
import { mysqlSkipped, postgresSkipped } from '../../../../test/services/servers.ts';
import { host } from '../../../../test/transactions/drizzle-host.ts';
import { fromDrizzle } from '../../src/transactions/from-drizzle.ts';

const skipped = await postgresSkipped();
const mysqlServerSkipped = await mysqlSkipped();

describe('a transaction of Drizzle', () => {
  test('is refused where its driver is synchronous, with the way that works', () => {
    const sqlite = new Database(':memory:');
    // As `drizzle-orm/better-sqlite3` makes it, which imports better-sqlite3 itself.
    const dialect = new SQLiteSyncDialect();
    const session = new BetterSQLiteSession(sqlite as never, dialect, undefined);
    const db = new BaseSQLiteDatabase('sync', dialect, session, undefined);
    const dispatchIn = () => db.transaction((tx) => void fromDrizzle(tx));
    expect(dispatchIn).toThrow(TypeError);
    expect(dispatchIn).toThrow('begin a Kysely transaction');
    sqlite.close();
  });

  test('is none of anything else', () => {
    expect(() => fromDrizzle(undefined as never)).toThrow(TypeError);
    expect(() => fromDrizzle({} as never)).toThrow(TypeError);
  });

  test.skipIf(mysqlServerSkipped)('has ended on MySQL once it is committed', async () => {
    const database = await createMysqlDatabase('toolkit');
    const connected = await host.connect(database.url);
    const ended = await connected.transaction(async ({ transaction }) => {
      await transaction.assertOpen?.();
      return transaction;
    });
    const isOpen = async () => ended.assertOpen?.();
    await expect(isOpen()).rejects.toThrow(new TypeError('the transaction of Drizzle has ended'));
    await connected.close();
    await database.remove();
  });

  test.skipIf(skipped)("rejects with the driver's own error, and not with Drizzle's", async () => {
    const database = await createPostgresSchema('toolkit');
    const connected = await host.connect(database.url);
    const failing = connected.transaction(({ transaction }) =>
      transaction.execute('select 1 / $1::int', [0]),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012', message: 'division by zero' });
    await connected.close();
    await database.remove();
  });
});
