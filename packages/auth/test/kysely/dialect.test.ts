import { Kysely, MysqlDialect, PostgresDialect, SqliteAdapter } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findDialect } from '../../src/kysely/dialect.ts';

describe('contention', () => {
  const adapters = {
    sqlite: sqliteLike(),
    postgres: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: unused }) }),
    mysql: new Kysely<unknown>({ dialect: new MysqlDialect({ pool: unused }) }),
  };

  test.each<[keyof typeof adapters, string, object, boolean]>([
    ['sqlite', 'better-sqlite3, libsql', { code: 'SQLITE_BUSY_SNAPSHOT' }, true],
    ['sqlite', 'better-sqlite3, libsql', { code: 'SQLITE_LOCKED' }, true],
    ['sqlite', 'node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
    ['sqlite', 'node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 517 }, true],
    ['sqlite', 'node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 1 }, false],
    ['sqlite', 'bun:sqlite', { errno: 6 }, true],
    ['sqlite', 'the file system', { code: 'EIO', errno: -5 }, false],
    ['sqlite', 'any', { code: 'SQLITE_FULL' }, false],
    ['sqlite', 'another database', { code: '40001' }, false],
    ['postgres', 'a serialisation failure', { code: '40001' }, true],
    ['postgres', 'a deadlock', { code: '40P01' }, true],
    ['postgres', "the host's lock_timeout", { code: '55P03' }, true],
    ['postgres', 'a unique violation', { code: '23505' }, true],
    ['postgres', 'a null where none may be', { code: '23502' }, false],
    ['postgres', 'a lost connection', { code: 'ECONNRESET', errno: -104 }, false],
    ['mysql', 'a deadlock', { code: 'ER_LOCK_DEADLOCK', errno: 1213 }, true],
    ['mysql', 'a lock wait that took too long', { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 }, true],
    ['mysql', 'a row changed since it was read', { code: 'ER_CHECKREAD', errno: 1020 }, true],
    ['mysql', 'a duplicate', { code: 'ER_DUP_ENTRY', errno: 1062 }, false],
  ])('is told on %s by the error of %s: %o', (name, _, fields, expected) => {
    expect(findDialect(adapters[name]).isContention(Object.assign(new Error(), fields))).toBe(expected);
  });

  test.each([undefined, null, 'SQLITE_BUSY', 5])('is not %s', (thrown) => {
    for (const db of Object.values(adapters)) expect(findDialect(db).isContention(thrown)).toBe(false);
  });

  function sqliteLike(): Kysely<unknown> {
    const dialect = new PostgresDialect({ pool: unused });
    return new Kysely<unknown>({
      dialect: Object.assign(dialect, { createAdapter: () => new SqliteAdapter() }),
    });
  }

  async function unused(): Promise<never> {
    throw new Error('no statement is run');
  }
});
