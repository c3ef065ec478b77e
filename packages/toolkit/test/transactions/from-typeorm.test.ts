import Database from 'libsql';
import { DataSource } from 'typeorm';
import { expect, test } from 'vitest';
import { fromTypeorm } from '../../src/transactions/from-typeorm.ts';

test('a transaction of TypeORM has ended once it is committed', async () => {
  const source = new DataSource({ type: 'better-sqlite3', database: ':memory:', driver: Database });
  await source.initialize();
  const runner = source.createQueryRunner();
  expect(() => fromTypeorm(runner.manager)).toThrow(TypeError);
  await runner.startTransaction();
  const transaction = fromTypeorm(runner.manager);
  await transaction.assertOpen?.();
  await runner.commitTransaction();
  expect(() => transaction.assertOpen?.()).toThrow(TypeError);
  await source.destroy();
});

test.each([null, undefined, {}])('a transaction of TypeORM is none of %j', (value) => {
  expect(() => fromTypeorm(value as never)).toThrow('the manager of TypeORM is in no transaction');
});
