import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { catalogOf } from '../../../../../test/services/catalog.ts';
import { createPostgresDatabase } from '../../../../../test/services/server-databases.ts';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { findDialect } from '../../../src/kysely/find-dialect.ts';
import {
  kyselyStorage,
  migrateWebhooks,
  migrationStatements,
  migrationsSql,
  type TableNameOptions,
  webhookMigrations,
} from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.remove();
});

const ALL = Object.keys(webhookMigrations);

const OTHER_NAMES: Readonly<Record<string, TableNameOptions>> = {
  SQLite: { tablePrefix: 'other_' },
  PostgreSQL: { tablePrefix: 'other_', schema: 'The-other_one' },
  'MySQL or MariaDB': { tablePrefix: 'other_' },
};

describe.each(databaseServers)('on $name', ({ name, skipped, create }) => {
  async function open() {
    const database = await (name === 'PostgreSQL' ? createPostgresDatabase('webhooks') : create());
    opened.push(database);
    return database.open();
  }

  async function execute(db: Kysely<unknown>, text: string) {
    for (const statement of text.split(';\n')) if (statement !== '') await sql.raw(statement).execute(db);
  }

  test.skipIf(skipped)('prints what migrateWebhooks executes, and what it then finds applied', async () => {
    const [printed, migrated] = [await open(), await open()];
    for (const options of [{}, OTHER_NAMES[name] ?? {}]) {
      await execute(printed, await migrationsSql(findDialect(printed).name, options));
      await migrateWebhooks(migrated, options);
      const catalog = await catalogOf(printed, options.schema);
      expect(catalog.names).toContain(`${options.tablePrefix ?? ''}webhooks`);
      expect(catalog).toEqual(await catalogOf(migrated, options.schema));
      expect(await migrateWebhooks(printed, options)).toEqual([]);
      await kyselyStorage(printed, options).assertReady?.();
    }
  });

  test.skipIf(skipped)('records the migrations with a time as migrateWebhooks does', async () => {
    const db = await open();
    await execute(db, await migrationsSql(findDialect(db).name));
    const { rows } = await sql<{
      name: string;
      applied_at: string;
    }>`select * from webhook_migrations`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(ALL);
    for (const { applied_at } of rows) {
      expect(new Date(applied_at).toISOString()).toBe(applied_at);
      expect(Math.abs(Date.now() - Date.parse(applied_at))).toBeLessThan(60_000);
    }
  });
});

test('prints each statement as one line, ready for a file', async () => {
  for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
    const text = await migrationsSql(dialect, { tablePrefix: 'acme_' });
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^(create|alter|insert) .*;$/);
    expect(text).not.toMatch(/\bwebhook_migrations\b/);
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
  expect(await migrationsSql('postgres', { after: ALL.at(-1) })).toBe('');
});

test('refuses a dialect, an option and a migration that it does not know', async () => {
  await expect(migrationsSql('oracle' as never)).rejects.toThrow(
    new TypeError('dialect must be one of sqlite, postgres, mysql'),
  );
  await expect(migrationsSql('sqlite', { prefix: 'a' } as never)).rejects.toThrow(/unknown option "prefix"/);
  await expect(migrationsSql('sqlite', { schema: 'a' })).rejects.toThrow(/schema is for PostgreSQL alone/);
  await expect(migrationsSql('sqlite', { after: 'x' })).rejects.toThrow(
    'after must be a name in webhookMigrations',
  );
});
