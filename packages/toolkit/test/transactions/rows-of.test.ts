import { expect, test } from 'vitest';
import { rowsOf } from '../../src/transactions/rows-of.ts';

const ROWS = [{ n: 1 }, { n: 2 }];

test.each<[string, unknown, readonly object[]]>([
  ['pg', { rows: ROWS, rowCount: 2 }, ROWS],
  ['postgres.js', Object.assign([...ROWS], { count: 2 }), ROWS],
  ['mysql2', [ROWS, []], ROWS],
  ['mysql2, of no rows', [[], []], []],
  ['mysql2, of an insert', [{ affectedRows: 1, serverStatus: 2 }, undefined], []],
  ['better-sqlite3', ROWS, ROWS],
  ['better-sqlite3, of an insert', { changes: 1, lastInsertRowid: 1 }, []],
  ['nothing', undefined, []],
])('finds the rows in the answer of %s', (_driver, answer, rows) => {
  expect([...rowsOf(answer)]).toEqual(rows);
});
