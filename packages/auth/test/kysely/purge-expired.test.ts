import { describe, expect, test } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { databaseServers } from './database-servers.ts';

describe.each(databaseServers)('a purge on $name', ({ name, skipped, create }) => {
  /** Five tokens, of which one expires at each second. */
  async function fiveTokens() {
    const database = untilFinished(await create());
    const executed: string[] = [];
    const db = database.open<AuthTables>({ log: ({ query }) => void executed.push(query.sql) });
    const store = kyselyOneTimeTokenStore(db);
    for (let n = 1; n <= 5; n++) {
      const tokenHash = String(n).repeat(64);
      await store.issue({ tokenHash, uid: `${n}`, instance: '/', purpose: 'p', issuedAt: 0, expiresAt: n });
    }
    executed.length = 0;
    const rows = () => db.selectFrom('one_time_tokens').select('uid').orderBy('uid').execute();
    const left = async () => (await rows()).map(({ uid }) => uid).join('');
    return { db, store, left, executed };
  }

  test.skipIf(skipped)('removes what expired first, in one statement, up to its limit', async () => {
    const { store, left, executed } = await fiveTokens();
    expect(await store.purge({ expiredBefore: 4, limit: 3 })).toBe(3);
    expect(executed.filter((statement) => statement.includes('one_time_tokens'))).toHaveLength(1);
    expect(await left()).toBe('45');
  });

  if (name !== 'PostgreSQL') return;

  test.skipIf(skipped)('passes over a row that another transaction has locked', async () => {
    const { db, store, left } = await fiveTokens();
    await db.transaction().execute(async (host) => {
      const locked = host.selectFrom('one_time_tokens').select('uid').where('uid', '=', '2').forUpdate();
      await locked.execute();
      expect(await store.purge({ expiredBefore: 4, limit: 9 })).toBe(3);
    });
    expect(await left()).toBe('25');
  });
});

describe('a purge', () => {
  test('gives everything else a turn of the event loop between two groups on SQLite', async () => {
    const database = sqliteFile();
    const db = database.open<unknown>();
    await migrateAuth(db);
    const store = kyselySessionStore(db);
    const times = { createdAt: 1, expiresAt: 2 };
    for (let n = 0; n < 1_501; n++) {
      const id = String(n).padStart(32, '0');
      await store.create({ id, tokenHash: id, uid: '7', instance: '/api', ...times, userAgent: '', ip: '' });
    }
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    const purged = store.purge({ expiredBefore: 9, limit: 5_000 });
    setImmediate(count);
    expect(await purged).toBe(1_501);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(3);
    await database.remove();
  });
});
