import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { catalogOf } from '../../../../test/services/catalog.ts';
import { createPostgresDatabase } from '../../../../test/services/server-databases.ts';
import type { TestDatabase } from '../../../../test/services/test-database.ts';
import { findDialect } from '../../src/kysely/dialect.ts';
import {
  authMigrations,
  kyselySessionStore,
  migrateAuth,
  migrationStatements,
  migrationsSql,
  type TableNameOptions,
} from '../../src/kysely/index.ts';
import { databaseServers } from './database-servers.ts';

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

const ALL = Object.keys(authMigrations);

const OTHER_NAMES: Readonly<Record<string, TableNameOptions>> = {
  SQLite: { tablePrefix: 'other_' },
  PostgreSQL: { tablePrefix: 'other_', schema: 'The-other_one' },
  'MySQL or MariaDB': { tablePrefix: 'other_' },
};

describe.each(databaseServers)('on $name', ({ name, skipped, create }) => {
  async function open() {
    const database = await (name === 'PostgreSQL' ? createPostgresDatabase('auth') : create());
    opened.push(database);
    return database.open();
  }

  async function execute(db: Kysely<unknown>, text: string) {
    for (const statement of text.split(';\n')) if (statement !== '') await sql.raw(statement).execute(db);
  }

  test.skipIf(skipped)('prints what migrateAuth executes, and what it then finds applied', async () => {
    const [printed, migrated] = [await open(), await open()];
    for (const options of [{}, OTHER_NAMES[name] ?? {}]) {
      await execute(printed, await migrationsSql(findDialect(printed).name, options));
      await migrateAuth(migrated, options);
      const catalog = await catalogOf(printed, options.schema);
      expect(catalog.names).toContain(`${options.tablePrefix ?? ''}api_keys`);
      expect(catalog).toEqual(await catalogOf(migrated, options.schema));
      expect(await migrateAuth(printed, options)).toEqual([]);
      await kyselySessionStore(printed, options).purge({ expiredBefore: 0, limit: 1 });
    }
  });

  test.skipIf(skipped)('records the migrations with a time as migrateAuth does', async () => {
    const db = await open();
    await execute(db, await migrationsSql(findDialect(db).name));
    const { rows } = await sql<{ name: string; applied_at: unknown }>`
      select * from auth_migrations order by name`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(ALL);
    for (const { applied_at } of rows) {
      expect(String(applied_at)).toMatch(/^\d+$/);
      expect(Math.abs(Date.now() / 1_000 - Number(applied_at))).toBeLessThan(60);
    }
  });
});

test('prints each statement as one line, ready for a file', async () => {
  for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
    const text = await migrationsSql(dialect, { tablePrefix: 'acme_' });
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^(create|alter|insert) .*;$/);
    expect(text).not.toMatch(/\bauth_migrations\b/);
  }
});

test('returns the statements of the text one by one', async () => {
  for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
    const statements = await migrationStatements(dialect, { tablePrefix: 'acme_' });
    const text = statements.map((statement) => `${statement};\n`).join('');
    expect(text).toBe(await migrationsSql(dialect, { tablePrefix: 'acme_' }));
  }
  await expect(migrationStatements('sqlite', { prefix: 'a' } as never)).rejects.toThrow(
    /migrationStatements/,
  );
});

test('prints only what comes after a migration', async () => {
  const [first = '', ...others] = ALL;
  const text = await migrationsSql('postgres', { after: first });
  expect(text).not.toMatch(/create table (if not exists )?"(api_keys|auth_migrations)"/);
  expect([...text.matchAll(/values \('([^']+)'/g)].map(([, name]) => name)).toEqual(others);
  expect(await migrationsSql('postgres', { after: ALL.at(-1) })).toBe('');
});

test('refuses a dialect, an option and a migration that it does not know', async () => {
  await expect(migrationsSql('oracle' as never)).rejects.toThrow(
    new TypeError('dialect must be one of sqlite, postgres, mysql'),
  );
  await expect(migrationsSql('sqlite', { prefix: 'a' } as never)).rejects.toThrow(/unknown option "prefix"/);
  await expect(migrationsSql('sqlite', { schema: 'a' })).rejects.toThrow(/schema is for PostgreSQL alone/);
  await expect(migrationsSql('sqlite', { after: 'x' })).rejects.toThrow(
    'after must be a name in authMigrations',
  );
});
