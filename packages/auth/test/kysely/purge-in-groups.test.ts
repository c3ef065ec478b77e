import { describe, expect, test } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import { purgeInGroups } from '../../src/kysely/purge-in-groups.ts';

/** Rows by key, and the sizes of the groups that were asked for and removed. */
function fixture(count: number) {
  const rows = Array.from({ length: count }, (_, n) => String(n).padStart(5, '0')).reverse();
  const asked: number[] = [];
  const removed: string[][] = [];
  return {
    rows,
    asked,
    removed,
    statements: {
      async find(wanted: number) {
        asked.push(wanted);
        return rows.slice(0, wanted);
      },
      async remove(keys: readonly string[]) {
        removed.push([...keys]);
        for (const key of keys) rows.splice(rows.indexOf(key), 1);
        return keys.length;
      },
    },
  };
}

describe('a purge in groups', () => {
  test('removes at most 500 rows at a time, in the order of their keys, until none is left', async () => {
    const { rows, asked, removed, statements } = fixture(1_100);
    expect(await purgeInGroups(5_000, statements)).toBe(1_100);
    expect(rows).toEqual([]);
    expect(asked).toEqual([500, 500, 500]);
    for (const keys of removed) expect(keys).toEqual([...keys].sort());
  });

  test('ends at its limit', async () => {
    const { rows, asked, statements } = fixture(1_100);
    expect(await purgeInGroups(600, statements)).toBe(600);
    expect(rows).toHaveLength(500);
    expect(asked).toEqual([500, 100]);
  });

  test('executes no removal where nothing may go', async () => {
    const { removed, statements } = fixture(0);
    expect(await purgeInGroups(10, statements)).toBe(0);
    expect(removed).toEqual([]);
  });

  test('does not count what another process has removed, and goes on', async () => {
    const { asked, statements } = fixture(600);
    const half = async (keys: readonly string[]) => Math.floor((await statements.remove(keys)) / 2);
    expect(await purgeInGroups(550, { ...statements, remove: half })).toBe(300);
    expect(asked).toEqual([500, 300]);
  });

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
