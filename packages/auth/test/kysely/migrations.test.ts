import { Kysely, MysqlDialect, sql } from 'kysely';
import { createPool } from 'mysql2';
import { describe, expect, test } from 'vitest';
import { loadMigrator } from '../../../../test/services/kysely-migrator.ts';
import { type TestDatabase, untilFinished } from '../../../../test/services/test-database.ts';
import {
  authMigrations,
  kyselyApiKeys,
  kyselyOneTimeTokenStore,
  kyselySessionStore,
  migrateAuth,
} from '../../src/kysely/index.ts';
import type { AuthMigration } from '../../src/kysely/migrations.ts';
import { databaseServers } from './database-servers.ts';

const ALL = Object.keys(authMigrations);
const TOKEN_QUERY = { tokenHash: '0'.repeat(64), instance: '/api', now: 1 };

describe.each(databaseServers)('on $name', ({ name, skipped, createWhole }) => {
  async function newDatabase(): Promise<TestDatabase> {
    return untilFinished(await createWhole());
  }

  async function tablesOf<DB>(db: Kysely<DB>): Promise<string[]> {
    return (await db.introspection.getTables()).map(({ name }) => name).sort();
  }

  test.skipIf(skipped)('creates the tables once, and says what it applied', async () => {
    const db = (await newDatabase()).open();
    expect(await migrateAuth(db)).toEqual(ALL);
    expect(await migrateAuth(db)).toEqual([]);
    expect(await tablesOf(db)).toEqual([
      'api_keys',
      'auth_audit',
      'auth_migrations',
      'login_failures',
      'one_time_tokens',
      'refresh_tokens',
    ]);
    expect(await kyselySessionStore(db).findByToken(TOKEN_QUERY)).toBeUndefined();
    expect(await kyselyOneTimeTokenStore(db).find({ ...TOKEN_QUERY, purpose: 'x' })).toBeUndefined();
    expect(await kyselyApiKeys(db, { prefix: 'acme' }).validator(`sha256$${'0'.repeat(64)}`)).toBeNull();
  });

  test.skipIf(skipped)('leaves a database of a later version as it is', async () => {
    const db = (await newDatabase()).open();
    await migrateAuth(db);
    await sql`insert into auth_migrations (name, applied_at) values ('auth_9999_later', 1)`.execute(db);
    expect(await migrateAuth(db)).toEqual([]);
  });

  test
    .skipIf(skipped)
    .each([
      'auth_0001_create_api_keys',
      'auth_0002_create_refresh_tokens',
      'auth_0002_create_refresh_tokens_v2',
    ])('refuses a database of an earlier state by its name, and leaves it alone: %s', async (earlier) => {
    const db = (await newDatabase()).open<{ api_keys: { mine: number } }>();
    await sql`create table auth_migrations (name varchar(128) primary key, applied_at bigint)`.execute(db);
    await sql`insert into auth_migrations (name, applied_at) values (${earlier}, 1)`.execute(db);
    await sql`create table api_keys (mine integer)`.execute(db);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(migrateAuth(db)).rejects.toThrow(
        `The database is of an earlier state, ${earlier}, which this version cannot bring up to date`,
      );
    }
    expect(await tablesOf(db)).toEqual(['api_keys', 'auth_migrations']);
    expect((await sql`select name from auth_migrations`.execute(db)).rows).toEqual([{ name: earlier }]);
    await sql`drop table api_keys`.execute(db);
    await sql`drop table auth_migrations`.execute(db);
    expect(await migrateAuth(db)).toEqual(ALL);
  });

  test.skipIf(skipped)("refuses an earlier state in Kysely's own Migrator, too", async () => {
    const db = (await newDatabase()).open();
    const Migrator = await loadMigrator();
    const nothing = { async up() {}, async down() {} };
    const migrate = (migrations: Readonly<Record<string, AuthMigration>>) =>
      new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } }).migrateToLatest();
    expect((await migrate({ auth_0001_create_api_keys: nothing })).error).toBeUndefined();
    expect((await migrate(authMigrations)).error).toMatchObject({
      message: expect.stringContaining('auth_0001_create_api_keys is missing'),
    });
  });

  test.skipIf(skipped)("runs in Kysely's own Migrator, up and down", async () => {
    const db = (await newDatabase()).open();
    const Migrator = await loadMigrator();
    const migrator = new Migrator({ db, provider: { getMigrations: async () => authMigrations } });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    expect(await kyselySessionStore(db).findByToken(TOKEN_QUERY)).toBeUndefined();
    for (const _ of ALL) expect((await migrator.migrateDown()).error).toBeUndefined();
    expect((await tablesOf(db)).filter((table) => !table.startsWith('kysely_'))).toEqual([]);
  });

  if (name !== 'MySQL or MariaDB') return;

  test.skipIf(skipped)(
    'goes on from a start that was killed before or after it created a table',
    async () => {
      const db = (await newDatabase()).open();
      await migrateAuth(db);
      const [first = '', second = ''] = ALL;
      await sql`update auth_migrations set applied_at = null where name = ${first}`.execute(db);
      await sql`update auth_migrations set applied_at = null where name = ${second}`.execute(db);
      await sql`drop table refresh_tokens`.execute(db);
      await sql`insert into api_keys (id, instance, uid, name, display_prefix, key_hash, scopes, created_at)
      values ('k', '/api', 'u', 'n', 'p', 'h', '[]', 1)`.execute(db);
      expect(await migrateAuth(db)).toEqual([first, second]);
      expect(await migrateAuth(db)).toEqual([]);
      expect((await sql`select id from api_keys`.execute(db)).rows).toEqual([{ id: 'k' }]);
    },
  );

  test.skipIf(skipped).each([
    [{ rowsAsArray: true }, /rowsAsArray of mysql2.*pool/],
    [{ nestTables: true }, /nestTables of mysql2.*pool/],
    [{ typeCast: false }, /typeCast of mysql2.*pool/],
  ])('refuses a pool of mysql2 that has %j', async (options, message) => {
    const { url } = await newDatabase();
    const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ uri: url, ...options }) }) });
    await expect(migrateAuth(db).finally(() => db.destroy())).rejects.toMatchObject({
      code: 'storage_misconfigured',
      message: expect.stringMatching(message),
    });
  });

  test.skipIf(skipped)('says which setting it is where a session only reads', async () => {
    const db = (await newDatabase()).open({ onConnect: 'set session transaction read only' });
    await expect(migrateAuth(db)).rejects.toMatchObject({
      code: 'storage_misconfigured',
      message: expect.stringMatching(/only read .*transaction_read_only/),
    });
  });

  test.skipIf(skipped)('compares every text byte for byte, trailing space included', async () => {
    const db = (await newDatabase()).open();
    await migrateAuth(db);
    const { rows } = await sql<{ collation: string }>`select distinct collation_name as collation
      from information_schema.columns where table_schema = database() and data_type = 'varchar'`.execute(db);
    expect(rows).toHaveLength(1);
    expect(['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']).toContain(rows[0]?.collation);
  });

  test.skipIf(skipped)('gives its lock back, also when it fails', async () => {
    const db = (await newDatabase()).open();
    await sql`create table api_keys (mine integer)`.execute(db);
    await expect(migrateAuth(db)).rejects.toThrow('already exists');
    const { rows } =
      await sql`select is_free_lock(concat('acme_auth_', left(sha2(database(), 256), 40))) as free`.execute(
        db,
      );
    expect(rows).toEqual([{ free: 1 }]);
  });
});
