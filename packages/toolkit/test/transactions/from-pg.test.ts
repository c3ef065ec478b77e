import { Client, Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { POSTGRES_URL, postgresSkipped } from '../../../../test/services/servers.ts';
import { fromPg, type PgClient } from '../../src/transactions/from-pg.ts';

const skipped = await postgresSkipped();

describe('a transaction of pg', () => {
  const it = test.skipIf(skipped);

  it('is open from `begin` to `commit`, also where it has failed', async () => {
    const pool = new Pool({ connectionString: POSTGRES_URL });
    const client = await pool.connect();
    const transaction = fromPg(client);
    const assertOpen = async () => transaction.assertOpen?.();
    try {
      await client.query('select 1');
      await expect(assertOpen()).rejects.toThrow(
        new TypeError('the client of pg is in no transaction: run `begin` first'),
      );
      await client.query('begin');
      await assertOpen();
      await client.query('nonsense').catch(() => undefined);
      await assertOpen();
      await client.query('rollback');
      await expect(assertOpen()).rejects.toThrow(TypeError);
    } finally {
      client.release();
      await pool.end();
    }
  });

  it('runs one statement at a time, whichever object brings them', async () => {
    const pool = new Pool({ connectionString: POSTGRES_URL });
    const client = await pool.connect();
    const warnings: string[] = [];
    const listen = ({ message }: Error) => void warnings.push(message);
    process.on('warning', listen);
    try {
      const statements = [1, 2, 3].map((n) => fromPg(client).execute('select $1::int as n', [n]));
      expect(await Promise.all(statements)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
      // Warnings are told in a later turn.
      await new Promise(setImmediate);
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', listen);
      client.release();
      await pool.end();
    }
  });

  test('is one of a client that belongs to no pool', () => {
    const client: PgClient = new Client();
    expect(fromPg(client).database).toBe('postgres');
  });

  test('is none of a pool, nor of anything else', () => {
    // @ts-expect-error A pool is no client.
    expect(() => fromPg(new Pool())).toThrow('not a pool');
    expect(() => fromPg({} as never)).toThrow(TypeError);
    expect(() => fromPg(undefined as never)).toThrow(TypeError);
  });
});
