import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrationStatements as authStatements, kyselySessionStore, migrateAuth } from '@acme/auth/kysely';
import {
  kyselyStorage,
  migrateWebhooks,
  migrationStatements as webhookStatements,
} from '@acme/webhooks/kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createMysqlDatabase, createPostgresDatabase } from '../services/server-databases.ts';
import { mysqlSkipped, postgresSkipped } from '../services/servers.ts';
import { sqliteFile } from '../services/sqlite-file.ts';
import type { TestDatabase } from '../services/test-database.ts';
import { runtimesFolder, runtimesSkipped } from './runtimes.ts';

interface Target {
  readonly dialect: 'sqlite' | 'postgres' | 'mysql';
  /** What drizzle-kit calls it. */
  readonly kit: string;
  readonly skipped: string | undefined;
  create(): Promise<TestDatabase>;
  readonly names?: Parameters<typeof migrateWebhooks>[1];
}

const TARGETS: readonly Target[] = [
  { dialect: 'sqlite', kit: 'sqlite', skipped: undefined, create: async () => sqliteFile() },
  { dialect: 'sqlite', kit: 'turso', skipped: undefined, create: async () => sqliteFile() },
  {
    dialect: 'postgres',
    kit: 'postgresql',
    skipped: await postgresSkipped(),
    create: () => createPostgresDatabase('drizzle'),
    names: { schema: 'integrations' },
  },
  {
    dialect: 'mysql',
    kit: 'mysql',
    skipped: await mysqlSkipped(),
    create: () => createMysqlDatabase('drizzle'),
  },
];

const opened: { remove(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.remove();
});

describe.each(TARGETS)('drizzle-kit with the dialect $kit', ({ dialect, kit, skipped, create, names }) => {
  it.skipIf(runtimesSkipped ?? skipped)('applies the statements of both packages', async () => {
    const database = await create();
    opened.push(database);
    const folder = drizzleFolder(kit, database.url.replace(/^sqlite:/, 'file:'));
    await addMigration(folder, 'auth', await authStatements(dialect, names));
    await addMigration(folder, 'webhooks', await webhookStatements(dialect, names));
    await runKit(folder, 'migrate');

    const db = database.open();
    expect(await migrateAuth(db, names)).toEqual([]);
    expect(await migrateWebhooks(db, names)).toEqual([]);
    await kyselySessionStore(db, names).purge({ expiredBefore: 0, limit: 1 });
    await kyselyStorage(db, names).assertReady?.();
  });
});

function drizzleFolder(dialect: string, url: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'drizzle-kit-'));
  opened.push({ remove: () => rmSync(folder, { recursive: true, force: true }) });
  writeFileSync(join(folder, 'schema.ts'), 'export {};\n');
  const config = { dialect, schema: './schema.ts', out: './drizzle', dbCredentials: { url } };
  writeFileSync(join(folder, 'drizzle.config.json'), JSON.stringify(config));
  return folder;
}

/** Fills the empty migration that the tool makes, as the guide says. */
async function addMigration(folder: string, name: string, statements: readonly string[]): Promise<void> {
  await runKit(folder, 'generate', '--custom', `--name=${name}`);
  const files = join(folder, 'drizzle');
  const file = readdirSync(files).find((each) => each.endsWith(`_${name}.sql`)) ?? '';
  writeFileSync(join(files, file), statements.join('\n--> statement-breakpoint\n'));
}

async function runKit(folder: string, ...words: readonly string[]): Promise<void> {
  const program = join(runtimesFolder, 'node_modules/drizzle-kit/bin.cjs');
  await promisify(execFile)(process.execPath, [program, ...words, '--config=drizzle.config.json'], {
    cwd: folder,
  });
}
