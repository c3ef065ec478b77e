import { expect, test } from 'vitest';
import { rowsPerStatement } from '../../../src/kysely/dispatch/statement-bounds.ts';

const MIB = 1024 * 1024;

test.each([
  ['no byte', '', 500],
  ['few bytes', '{}', 500],
  ['as many as five hundred rows may have', 'x'.repeat((4 * MIB) / 500), 500],
  ['a mebibyte', 'x'.repeat(MIB), 4],
  ['a mebibyte in two bytes each', 'ü'.repeat(MIB / 2), 4],
  ['more than a statement may have', 'x'.repeat(5 * MIB), 1],
])('a statement writes deliveries up to 4 MiB, of a payload of %s', (_, payload, rows) => {
  expect(rowsPerStatement(payload)).toBe(rows);
});
