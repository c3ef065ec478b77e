import { expect, test } from 'vitest';
import { createMysqlDatabase } from '../../../../test/services/server-databases.ts';
import { mysqlSkipped } from '../../../../test/services/servers.ts';
import { host } from '../../../../test/transactions/prisma-host.ts';
import { fromPrisma } from '../../src/transactions/from-prisma.ts';

const skipped = await mysqlSkipped();

test.skipIf(skipped)('a transaction of Prisma rejects with the number of the database’s error', async () => {
  const database = await createMysqlDatabase('toolkit');
  const connected = await host.connect(database.url);
  const failing = connected.transaction(({ transaction }) =>
    transaction.execute('select * from nowhere', []),
  );
  await expect(failing).rejects.toMatchObject({ code: '1146', errno: 1146 });
  await connected.close();
  await database.remove();
});

test('a transaction of Prisma is none of anything else', () => {
  expect(() => fromPrisma(undefined as never)).toThrow(TypeError);
  expect(() => fromPrisma({} as never)).toThrow(TypeError);
});
