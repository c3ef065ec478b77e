import { describe, expect, onTestFinished, test } from 'vitest';
import { createNarrowRole } from '../../../../test/services/narrow-role.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import {
  kyselyLoginFailures,
  kyselyOneTimeTokenStore,
  kyselySessionStore,
  migrateAuth,
} from '../../src/kysely/index.ts';
import { DEFAULT_NAMES } from '../../src/kysely/names.ts';
import { createOneTimeTokens } from '../../src/one-time-tokens/one-time-tokens.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { sessionHost } from '../sessions/session-host.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');
const TABLES = DEFAULT_NAMES.tables.filter((table) => table !== 'auth_migrations');
const RESET = { purpose: 'password_reset' };

describe.each(servers)('on $name, a role with few privileges', ({ skipped, createEmpty }) => {
  const it = test.skipIf(skipped);

  async function open() {
    const database: TestDatabase = await createEmpty();
    onTestFinished(() => database.remove());
    const role = await createNarrowRole(database);
    onTestFinished(() => role.remove());
    return { owner: database.open<unknown>(), db: role.open<unknown>(), role };
  }

  it('runs everything but migrations where it may read and write', async () => {
    const { owner, db, role } = await open();
    await migrateAuth(owner);
    await role.grant('select, insert, update, delete');
    expect(await migrateAuth(db)).toEqual([]);
    const { auth, clock, sessions } = sessionHost({ store: kyselySessionStore(db) });
    const { refreshToken = '', sessionId } = await sessions.loginAs('7');
    clock.advance(3_600);
    expect((await sessions.status([refreshToken])).sessionId).toBe(sessionId);
    const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    const revocation = await db.transaction().execute(async (transaction) => {
      await tokens.consume(token, { ...RESET, transaction });
      await tokens.revokeAll('7', { transaction });
      return await sessions.revokeAll('7', { transaction });
    });
    expect(await revocation.committed()).toEqual([sessionId]);
    const failures = kyselyLoginFailures(db);
    const counts = [{ failures: 1, underWay: 0 }];
    expect(await failures.add([{ key: 'k', failures: 1, underWay: 0 }], 60)).toEqual(counts);
    await failures.forget('k');
    await kyselyApiKeyStore(db).recordUse(['none'], 1);
  });

  it.each(TABLES)('is refused by migrateAuth where it lacks a privilege on %s', async (lacking) => {
    const { owner, db, role } = await open();
    await migrateAuth(owner);
    await role.grantOn('auth_migrations', 'select');
    for (const table of TABLES) {
      if (table !== lacking) await role.grantOn(table, 'select, insert, update, delete');
    }
    for (const privilege of ['select', 'insert', 'update', 'delete']) {
      const message = `lacks ${privilege.toUpperCase()} on the table ${lacking} `;
      await expect(migrateAuth(db)).rejects.toMatchObject({
        code: 'storage_misconfigured',
        message: expect.stringContaining(message),
      });
      await role.grantOn(lacking, privilege);
    }
    expect(await migrateAuth(db)).toEqual([]);
  });

  it('is told which privileges a migration takes', async () => {
    const { db } = await open();
    await expect(migrateAuth(db)).rejects.toMatchObject({
      code: 'storage_misconfigured',
      message: expect.stringMatching(/run migrateAuth with a role that has .*CREATE/),
    });
  });
});
