import { describe, expect, test } from 'vitest';
import { readTableNameOptions } from '../../../src/kysely/table-names/table-name-options.ts';

const read = (options: object) => readTableNameOptions(options, 'postgres');

describe('tablePrefix', () => {
  test.each(['a', '_', 'acme_', 'a_prefix_of_16ch', 'a1', 'sqlite', 'pg_'])('may be %s', (tablePrefix) => {
    expect(read({ tablePrefix })).toEqual({ tablePrefix, schema: undefined });
  });

  test.each([
    '',
    'Acme_',
    '1a',
    'a-b',
    'a b',
    'a.b',
    'a"',
    'a`',
    'a\n',
    'ä',
    'a_prefix_of_17_ch',
    'sqlite_',
    'sqlite_a',
    null,
    7,
    ['a'],
  ])('may not be %j', (tablePrefix) => {
    expect(() => read({ tablePrefix })).toThrow(/^tablePrefix must have 1 to 16 characters/);
    expect(() => read({ tablePrefix })).toThrow(TypeError);
  });
});

describe('schema', () => {
  test.each(['a', 'App', '_', 'tenant-7_b', 'x'.repeat(63)])('may be %j', (schema) => {
    expect(read({ schema })).toEqual({ tablePrefix: undefined, schema });
  });

  const refused = ['', 'a b', 'from x', '$1', 'a\nb', 'a\0', 'é', 'a"b', 'a.b', '7a', '-a', 'x'.repeat(64)];
  test.each([...refused, 'pg_temp', 'PG_TOAST', 'a\ud800', null, 7])('may not be %j', (schema) => {
    expect(() => read({ schema })).toThrow(/^schema must have 1 to 63 characters/);
    expect(() => read({ schema })).toThrow(TypeError);
  });

  test.each(['sqlite', 'mysql'] as const)('is refused on %s', (dialect) => {
    expect(() => readTableNameOptions({ schema: 'app' }, dialect)).toThrow(/^schema is for PostgreSQL alone/);
    expect(readTableNameOptions({ tablePrefix: 'a_' }, dialect)).toMatchObject({ tablePrefix: 'a_' });
  });
});

test('what was read does not change with the options', () => {
  const options = { tablePrefix: 'a_' };
  const names = read(options);
  options.tablePrefix = 'b_';
  expect(names.tablePrefix).toBe('a_');
  expect(Object.isFrozen(names)).toBe(true);
});
