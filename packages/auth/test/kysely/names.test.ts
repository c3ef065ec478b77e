import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { catalogOf } from '../../../../test/services/catalog.ts';
import { createPostgresDatabase } from '../../../../test/services/server-databases.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
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
const ALL = Object.keys(authMigrations);
const LONGEST = 'a_prefix_of_16ch';
const NAMES: readonly string[] = [...DEFAULT_NAMES.tables, ...DEFAULT_NAMES.others];

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
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

describe.each(databaseServers)('on $name', ({ name, skipped, createWhole }) => {
  const hasSchemas = name === 'PostgreSQL';

  async function open(): Promise<TestDatabase> {
    const database = await (hasSchemas ? createPostgresDatabase('auth') : createWhole());
    opened.push(database);
    return database;
  }

  /** Applications that share a database. */
  const applications: readonly TableNameOptions[] = [
    {},
    { tablePrefix: 'a_' },
    { tablePrefix: LONGEST },
    ...(hasSchemas ? [{ schema: 'api_keys' }, { schema: 'App', tablePrefix: 'a_' }] : []),
  ];

  test.skipIf(skipped)('applications with names of their own migrate at the same time', async () => {
    const database = await open();
    const applied = await Promise.all(
      applications.map(async (names) => {
        const processes = [database.open(), database.open()];
        return (await Promise.all(processes.map((db) => migrateAuth(db, names)))).flat().sort();
      }),
    );
    expect(applied).toEqual(applications.map(() => ALL));
    for (const names of applications) expect(await migrateAuth(database.open(), names)).toEqual([]);
  });

  test.skipIf(skipped)('applications with names of their own never meet', async () => {
    const db: Kysely<unknown> = (await open()).open();
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

  test.skipIf(skipped)('everything begins with the prefix, and no name is cut', async () => {
    const [byDefault, prefixed] = [(await open()).open(), (await open()).open()];
    await migrateAuth(byDefault);
    await migrateAuth(prefixed, { tablePrefix: LONGEST });
    const { names } = await catalogOf(byDefault);
    expect(names).toEqual(expect.arrayContaining([...DEFAULT_NAMES.tables]));
    expect((await catalogOf(prefixed)).names).toEqual(names.map((one) => LONGEST + one));
    expect(Math.max(...names.map((one) => (LONGEST + one).length))).toBeLessThanOrEqual(63);
  });

  test.skipIf(skipped)('tables whose record was emptied are taken again, with their rows', async () => {
    for (const tablePrefix of ['', 'acme_']) {
      const names = tablePrefix === '' ? {} : { tablePrefix };
      const db = (await open()).open();
      await migrateAuth(db, names);
      const record = sql.table(`${tablePrefix}auth_migrations`);
      const table = sql.table(`${tablePrefix}login_failures`);
      await sql`insert into ${table} (id, failures, under_way, expires_at) values ('x', 1, 0, 1)`.execute(db);
      await sql`delete from ${record}`.execute(db);
      expect(await migrateAuth(db, names)).toEqual(ALL);
      expect((await sql`select id from ${table}`.execute(db)).rows).toHaveLength(1);
      expect(await migrateAuth(db, names)).toEqual([]);
    }
  });

  test.skipIf(skipped)('a table of the application is left alone, and the prefix makes room', async () => {
    for (const taken of ['api_keys', 'auth_migrations', 'refresh_tokens']) {
      const db = (await open()).open();
      await sql`create table ${sql.table(taken)} (mine integer)`.execute(db);
      await sql`insert into ${sql.table(taken)} values (7)`.execute(db);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await expect(migrateAuth(db)).rejects.toMatchObject({
          code: 'storage_misconfigured',
          message: expect.stringContaining('option tablePrefix'),
        });
      }
      expect(await migrateAuth(db, { tablePrefix: 'acme_' })).toEqual(ALL);
      expect((await sql`select mine from ${sql.table(taken)}`.execute(db)).rows).toEqual([{ mine: 7 }]);
    }
  });

  test.skipIf(skipped).each([
    ['timestamp', '2026-01-01-orders'],
    ['applied_at', '2026-01-01-orders'],
    ['timestamp', undefined],
  ])(
    'migrations of the application in a table of that name, with %s, are left alone',
    async (column, entry) => {
      const db = (await open()).open();
      await sql`create table auth_migrations (name varchar(255) primary key, ${sql.ref(column)} varchar(255))`.execute(
        db,
      );
      if (entry !== undefined) await sql`insert into auth_migrations values (${entry}, '1')`.execute(db);
      const { names: before } = await catalogOf(db);
      await expect(migrateAuth(db)).rejects.toMatchObject({ code: 'storage_misconfigured' });
      expect((await catalogOf(db)).names).toEqual(before);
    },
  );

  test.skipIf(skipped)('an instance of withSchema is refused unless an option names the schema', async () => {
    const db = (await open()).open().withSchema('app');
    const refusal = /^db must not come from withSchema\(\).*option schema/;
    expect(() => kyselySessionStore(db)).toThrow(refusal);
    expect(() => kyselyApiKeys(db, { prefix: 'acme' })).toThrow(refusal);
    expect(() => kyselyLoginFailures(db)).toThrow(refusal);
    expect(() => kyselyOneTimeTokenStore(db, { tablePrefix: 'a_' })).toThrow(TypeError);
    await expect(migrateAuth(db)).rejects.toThrow(refusal);
    for (const { up, down } of Object.values(authMigrations)) {
      await expect(up(db)).rejects.toThrow(refusal);
      await expect(down(db)).rejects.toThrow(refusal);
    }
    if (!hasSchemas) {
      expect(() => kyselySessionStore(db, { schema: 'app' })).toThrow(/^schema is for PostgreSQL alone/);
      await expect(migrateAuth(db, { schema: 'app' })).rejects.toThrow(/^schema is for PostgreSQL alone/);
      return;
    }
    expect(await migrateAuth(db, { schema: 'app' })).toEqual(ALL);
    await kyselySessionStore(db, { schema: 'app' }).create(EXAMPLE_SESSION);
    expect((await catalogOf(db.withoutPlugins())).names).toEqual([]);
  });

  test.skipIf(skipped)(
    'a transaction of withSchema is refused unless an option names the schema',
    async () => {
      const db: Kysely<unknown> = (await open()).open();
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

test('a new name is never an old one, so that renaming twice is renaming once', () => {
  for (const one of NAMES) {
    for (const other of NAMES) expect(one !== other && one.endsWith(other)).toBe(false);
  }
});
