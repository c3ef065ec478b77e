import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrateAuth } from '../../packages/auth/src/kysely/index.ts';
import { kyselyStorage, migrateWebhooks } from '../../packages/webhooks/src/kysely/index.ts';
import { createWebhooks } from '../../packages/webhooks/src/webhooks.ts';
import { startRecipient } from '../../packages/webhooks/test/engine/recipient.ts';
import { createNarrowRole, type NarrowRole } from '../services/narrow-role.ts';
import { createMysqlDatabase, createPostgresSchema } from '../services/server-databases.ts';
import { mysqlSkipped, mysqlStatement, postgresSkipped, postgresStatement } from '../services/servers.ts';

const page = readFileSync(new URL('../../docs/migrations.md', import.meta.url), 'utf8');
const [, block = ''] = /## Least privilege.*?```sql\n(.*?)```/s.exec(page) ?? [];
const [postgres = '', mysql = ''] = block.split('-- MySQL and MariaDB');
const [asAdministrator = '', asMigrator = ''] = postgres.split('-- As migrator');

const SERVERS = [
  {
    name: 'PostgreSQL',
    skipped: await postgresSkipped(),
    create: () => createPostgresSchema('privileges'),
    execute: postgresStatement,
    before: asAdministrator,
    after: asMigrator,
  },
  {
    name: 'MySQL or MariaDB',
    skipped: await mysqlSkipped(),
    create: () => createMysqlDatabase('privileges'),
    execute: mysqlStatement,
    before: mysql,
    after: '',
  },
];

describe.each(SERVERS)(
  'the statements of the page on $name',
  ({ skipped, create, execute, before, after }) => {
    test.skipIf(skipped)('give roles that have nothing else all that they need', async () => {
      const database = await create();
      onTestFinished(() => database.remove());
      const [migrator, application] = [await createNarrowRole(database), await createNarrowRole(database)];
      for (const role of [migrator, application]) {
        onTestFinished(() => role.remove());
        await role.strip();
      }
      for (const statement of statementsOf(before, migrator, application)) await execute(statement);
      const owner = migrator.open<unknown>();
      expect(await migrateAuth(owner)).not.toEqual([]);
      expect(await migrateWebhooks(owner)).not.toEqual([]);
      for (const statement of statementsOf(after, migrator, application)) {
        await sql.raw(statement).execute(owner);
      }

      const db = application.open<unknown>();
      expect([await migrateAuth(db), await migrateWebhooks(db)]).toEqual([[], []]);
      const recipient = await startRecipient((_, response) => response.writeHead(500).end());
      onTestFinished(() => recipient.close());
      const webhooks = createWebhooks({
        storage: kyselyStorage(db),
        egress: { allowedAddresses: ['127.0.0.1/32'] },
        retry: { maxAttempts: 1 },
      });
      onTestFinished(() => webhooks.close());
      await webhooks.start();
      const { id } = await webhooks.create({ url: recipient.url });
      await webhooks.dispatch('order.created', { id: 7 });
      await webhooks.drain();
      expect(await webhooks.get(id)).toMatchObject({ stats: { failed: 1 } });
      expect(await webhooks.health()).toMatchObject({ status: 'ok', lastError: null });
    });
  },
);

/** Each without its comments, for these roles and the place of the test. */
function statementsOf(
  text: string,
  { role: migrator, place }: NarrowRole,
  application: NarrowRole,
): string[] {
  return text
    .replace(/^[^\n]*\n/, '\n')
    .replace(/--.*/g, '')
    .replace(/\bapp\b/g, place)
    .replace(/\bmigrator\b/g, migrator)
    .replace(/\bapplication\b/g, application.role)
    .split(';')
    .filter((statement) => statement.trim() !== '');
}
