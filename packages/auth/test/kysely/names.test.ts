import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { describeNames } from '../../../toolkit/test/kysely/table-names/names-contract.ts';
import { hashApiKey } from '../../src/api-keys/api-key.ts';
import { Claims } from '../../src/claims.ts';
import {
  authMigrations,
  kyselyApiKeys,
  kyselyLoginFailures,
  kyselyOneTimeTokenStore,
  kyselySessionStore,
  migrateAuth,
} from '../../src/kysely/index.ts';
import { DEFAULT_NAMES } from '../../src/kysely/names.ts';
import { databaseServers } from './database-servers.ts';
import { EXAMPLE_SESSION } from './example-session.ts';

const OWNER = new Claims({ uid: '42', scopes: [] });

const { openOn, applicationsOn } = describeNames({
  packageName: 'auth',
  servers: databaseServers,
  defaults: DEFAULT_NAMES,
  migrations: authMigrations,
  migrate: migrateAuth,
  record: 'auth_migrations',
  row: { table: 'login_failures', columns: 'id, failures, under_way, expires_at', values: "'x', 1, 0, 1" },
  taken: ['api_keys', 'auth_migrations', 'refresh_tokens'],
  factories: [
    kyselySessionStore,
    (db, names) => kyselyApiKeys(db, { prefix: 'acme', ...names }),
    kyselyLoginFailures,
    kyselyOneTimeTokenStore,
  ],
  works: (db, names) => kyselySessionStore(db, names).create(EXAMPLE_SESSION),
});

/** Every store, as an application makes them. */
function storesOn<DB>(db: Kysely<DB>, names: TableNameOptions) {
  return {
    sessions: kyselySessionStore(db, names),
    keys: kyselyApiKeys(db, { prefix: 'acme', ...names }),
    failures: kyselyLoginFailures(db, names),
    tokens: kyselyOneTimeTokenStore(db, names),
  };
}

describe.each(databaseServers)('on $name', (server) => {
  const { name, skipped } = server;

  test.skipIf(skipped)('applications with names of their own never meet', async () => {
    const db: Kysely<unknown> = (await openOn(server)).open();
    const applications = applicationsOn(name);
    for (const names of applications) await migrateAuth(db, names);
    const [first, ...others] = applications.map((names) => storesOn(db, names));
    if (first === undefined) throw new Error('there are applications');
    const session = EXAMPLE_SESSION;
    const { tokenHash, instance, createdAt: now } = session;
    const failure = { key: 'login:alice', failures: 1, underWay: 0 };
    const token = { uid: '42', instance, purpose: 'reset', tokenHash, issuedAt: now, expiresAt: now + 60 };
    await first.sessions.create(session);
    const { key } = await first.keys.create(OWNER, { name: 'n' });
    const keyHash = hashApiKey(key);
    await first.failures.add([failure], 900);
    await first.tokens.issue(token);
    for (const { sessions, keys, failures, tokens } of others) {
      expect(await sessions.findByToken({ tokenHash, instance, now })).toBeUndefined();
      expect(await keys.validator(keyHash)).toBeNull();
      expect(await failures.add([failure], 900)).toEqual([{ failures: 1, underWay: 0 }]);
      expect(await tokens.find({ tokenHash, instance, purpose: 'reset', now })).toBeUndefined();
      expect(await sessions.purge({ expiredBefore: now + 1e9, revokedBefore: now, limit: 9 })).toBe(0);
      expect(await tokens.purge({ expiredBefore: now + 1e9, limit: 9 })).toBe(0);
      await sessions.create(session);
      expect(
        await sessions.revokeAll({ uid: session.uid, instance, now, reason: 'revoked_all' }),
      ).toHaveLength(1);
    }
    expect(await first.sessions.findByToken({ tokenHash, instance, now })).toBeDefined();
    expect(await first.keys.validator(keyHash)).not.toBeNull();
    expect(await first.failures.add([failure], 900)).toEqual([{ failures: 2, underWay: 0 }]);
    expect(await first.tokens.find({ tokenHash, instance, purpose: 'reset', now })).toBeDefined();
  });

  test.skipIf(skipped)(
    'a transaction of withSchema is refused unless an option names the schema',
    async () => {
      const db: Kysely<unknown> = (await openOn(server)).open();
      await migrateAuth(db);
      const store = kyselySessionStore(db);
      const session = EXAMPLE_SESSION;
      await store.create(session);
      const { uid, instance, createdAt: now } = session;
      const revoked = db
        .withSchema('app')
        .transaction()
        .execute((transaction) =>
          store.revokeAll({ uid, instance, now, reason: 'revoked_all', transaction }),
        );
      await expect(revoked).rejects.toThrow(/^transaction must not come from withSchema\(\).*option schema/);
    },
  );
});
