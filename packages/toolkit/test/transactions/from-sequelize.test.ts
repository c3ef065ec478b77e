import { type Options, Sequelize } from 'sequelize';
import { describe, expect, test } from 'vitest';
import { MYSQL_URL, mysqlSkipped, POSTGRES_URL, postgresSkipped } from '../../../../test/services/servers.ts';
import { fromSequelize } from '../../src/transactions/from-sequelize.ts';

const SERVERS = [
  { dialect: 'postgres', url: POSTGRES_URL, skipped: await postgresSkipped(), database: 'postgres' },
  {
    dialect: 'mariadb',
    url: MYSQL_URL.replace(/^mysql:/, 'mariadb:'),
    skipped: await mysqlSkipped(),
    database: 'mysql',
  },
  { dialect: 'mysql', url: MYSQL_URL, skipped: await mysqlSkipped(), database: 'mysql' },
] as const;

describe.each(SERVERS)('a transaction of Sequelize, with its dialect $dialect', (server) => {
  const { dialect, url, skipped, database } = server;
  const it = test.skipIf(skipped);

  it('takes texts as they are, whatever the application has set for its own queries', async () => {
    const logged: string[] = [];
    const query: Options['query'] = { plain: true };
    const sequelize = new Sequelize(url, { query, logging: (sql) => void logged.push(sql) });
    await sequelize.transaction(async (outer) => {
      const transaction = fromSequelize(outer);
      expect(sequelize.getDialect()).toBe(dialect);
      expect(transaction.database).toBe(database);
      const [one, two] = database === 'postgres' ? ['$1::text', '$2::text'] : ['?', '?'];
      const texts = [`a $1 ? :b '"\\\n`, '{"c": "é 🎁"}'];
      const rows = await transaction.execute(`select ${one} as a, ${two} as b`, texts);
      expect(rows).toEqual([{ a: texts[0], b: texts[1] }]);
    });
    expect(logged.filter((sql) => /select/i.test(sql))).toEqual([]);
    await sequelize.close();
  });

  it('rejects with the error of the driver, which quotes no value', async () => {
    const sequelize = new Sequelize(url, { logging: false });
    const error: unknown = await sequelize
      .transaction(async (outer) => {
        const parameter = database === 'postgres' ? '$1::text' : '?';
        await fromSequelize(outer).execute(`select ${parameter} from missing_here`, ['confidential']);
      })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(database === 'postgres' ? { code: '42P01' } : { errno: 1146 });
    expect(String(error)).not.toContain('confidential');
    await sequelize.close();
  });

  it('has ended once it is committed, or the one around it', async () => {
    const sequelize = new Sequelize(url, { logging: false });
    const outer = await sequelize.transaction();
    const inner = fromSequelize(await sequelize.transaction({ transaction: outer }));
    await inner.assertOpen?.();
    await outer.commit();
    const ended = new TypeError('the transaction of Sequelize has ended');
    expect(() => inner.assertOpen?.()).toThrow(ended);
    expect(() => fromSequelize(outer).assertOpen?.()).toThrow(ended);
    await sequelize.close();
  });
});

const OF_SQLITE = { sequelize: { getDialect: () => 'sqlite' }, connection: {} };
test.each([null, undefined, {}, OF_SQLITE])('a transaction of Sequelize is none of %j', (value) => {
  expect(() => fromSequelize(value as never)).toThrow('fromSequelize takes the transaction that');
});
