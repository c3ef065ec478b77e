import { describe, expect, test } from 'vitest';
import { sqlite } from '../../../src/kysely/dialects/sqlite.ts';

describe('contention on SQLite', () => {
  test.each([
    ['better-sqlite3, libsql', { code: 'SQLITE_BUSY_SNAPSHOT' }, true],
    ['better-sqlite3, libsql', { code: 'SQLITE_LOCKED' }, true],
    ['node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
    ['node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 517 }, true],
    ['node:sqlite', { code: 'ERR_SQLITE_ERROR', errcode: 1 }, false],
    ['bun:sqlite', { errno: 6 }, true],
    ['the file system', { code: 'EIO', errno: -5 }, false],
    ['any', { code: 'SQLITE_FULL' }, false],
  ])('tells contention by the error of %s: %o', (_driver, fields, expected) => {
    expect(sqlite.isContention(Object.assign(new Error(), fields))).toBe(expected);
  });

  test.each([undefined, null, 'SQLITE_BUSY'])('takes %s for no contention', (thrown) => {
    expect(sqlite.isContention(thrown)).toBe(false);
  });
});
