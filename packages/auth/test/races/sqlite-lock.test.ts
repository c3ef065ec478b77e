import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import { Claims } from '../../src/claims.ts';
import { kyselyApiKeys, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import { EXAMPLE_SESSION } from '../kysely/example-session.ts';

async function twoConnections() {
  const file = untilFinished(sqliteFile());
  const refused: string[] = [];
  const db = file.open({
    log: (event) => {
      if (event.level === 'error') refused.push(event.query.sql);
    },
  });
  await migrateAuth(db);
  // The migrations ask for their record first, which is not there yet.
  refused.length = 0;
  return { db, other: file.open(), store: kyselySessionStore(db), refused };
}

describe('another connection in the way on SQLite', () => {
  test('delays a write until it is out of the way', async () => {
    const { other, store } = await twoConnections();
    const wasHeld = await other.connection().execute(async (connection) => {
      let isHeld = true;
      await sql`begin immediate`.execute(connection);
      const creating = store.create(EXAMPLE_SESSION).then(() => isHeld);
      // Some turns of the event loop, in which the write meets the lock.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      isHeld = false;
      await sql`commit`.execute(connection);
      return creating;
    });
    expect(wasHeld).toBe(false);
    expect(await store.list({ uid: '42', instance: '/api', now: 1_000, limit: 1 })).toHaveLength(1);
  });

  test('delays no read', async () => {
    const { other, store } = await twoConnections();
    await store.create(EXAMPLE_SESSION);
    await other.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      const token = { tokenHash: EXAMPLE_SESSION.tokenHash, instance: '/api', now: 1_000 };
      expect(await store.findByToken(token)).toMatchObject({ session: { id: EXAMPLE_SESSION.id } });
      const poll = {
        ...token,
        rotateEverySeconds: 900,
        reuseGraceSeconds: 30,
        recordUseEverySeconds: 300,
        salt: 's',
        keyId: 'k',
        nextId: 'n',
        successorHash: () => 'h',
      };
      expect(await store.useRefreshToken(poll)).toMatchObject({ outcome: 'current' });
      await sql`commit`.execute(connection);
    });
  });

  test('is met in one statement alone, before a transaction has read anything', async () => {
    const { db, other, store, refused } = await twoConnections();
    await store.create(EXAMPLE_SESSION);
    const apiKeys = kyselyApiKeys(db, { instance: '/api' });
    const owner = new Claims({ uid: '42', scopes: [] });
    const operations: (() => Promise<unknown>)[] = [
      () => store.create({ ...EXAMPLE_SESSION, id: 'c', tokenHash: 'd' }),
      () => store.revoke({ sessionId: EXAMPLE_SESSION.id, instance: '/api', now: 2_000, reason: 'logout' }),
      () => store.revokeAll({ uid: '42', instance: '/api', now: 2_000, reason: 'revoked_all' }),
      () => store.purge({ expiredBefore: 9_000, limit: 1 }),
      () =>
        store.useRefreshToken({
          tokenHash: EXAMPLE_SESSION.tokenHash,
          instance: '/api',
          now: 2_000,
          salt: 's',
          keyId: 'k',
          nextId: 'n',
          rotateEverySeconds: 900,
          reuseGraceSeconds: 30,
          recordUseEverySeconds: 300,
          successorHash: () => 'h',
        }),
      () => apiKeys.create(owner, { name: 'x' }),
      () => apiKeys.revoke(owner, EXAMPLE_SESSION.id),
      () => apiKeys.revokeAllOf('42'),
    ];
    await other.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      const running = operations.map((run) => run());
      while (refused.length < operations.length) await new Promise(setImmediate);
      await sql`commit`.execute(connection);
      await Promise.all(running);
    });
    expect(new Set(refused)).toEqual(new Set(['update "refresh_tokens" set "uid" = "uid" where "id" = ?']));
  });
});
