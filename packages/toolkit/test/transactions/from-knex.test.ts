import knex from 'knex';
import { describe, expect, test } from 'vitest';
import { POSTGRES_URL, postgresSkipped } from '../../../../test/services/servers.ts';
import { fromKnex } from '../../src/transactions/from-knex.ts';

const skipped = await postgresSkipped();

describe('a transaction of Knex', () => {
  const it = test.skipIf(skipped);

  it('takes parameters by their number, beside an operator with a question mark', async () => {
    const db = knex({ client: 'pg', connection: POSTGRES_URL });
    await db.transaction(async (trx) => {
      const rows = await fromKnex(trx).execute(`select $2::jsonb ? $1 as there, $1 as key`, ['a', '{"a":1}']);
      expect(rows).toEqual([{ there: true, key: 'a' }]);
    });
    await db.destroy();
  });

  it('has ended once it is committed', async () => {
    const db = knex({ client: 'pg', connection: POSTGRES_URL });
    const trx = await db.transaction();
    const transaction = fromKnex(trx);
    await transaction.assertOpen?.();
    await trx.commit();
    expect(() => transaction.assertOpen?.()).toThrow(new TypeError('the transaction of Knex has ended'));
    await db.destroy();
  });

  test.each([null, undefined, {}])('is none of %j', (value) => {
    expect(() => fromKnex(value as never)).toThrow('fromKnex takes the transaction that');
  });
});
