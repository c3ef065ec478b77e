import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadMigrator } from '../../../../../test/services/kysely-migrator.ts';
import { type SqliteFile, sqliteFile } from '../../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks, webhookMigrations } from '../../../src/kysely/index.ts';

function newFile(): SqliteFile {
  return untilFinished(sqliteFile());
}

const ALL = Object.keys(webhookMigrations);

async function objectsOf<DB>(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master
    where name not like 'sqlite_%' order by name`.execute(db);
  return rows.map(({ name }) => name);
}

test('creates indexes that tables lack whose record was emptied', async () => {
  const db = newFile().open();
  await migrateWebhooks(db);
  const all = await objectsOf(db);
  const { rows } = await sql<{ name: string }>`select name from sqlite_master
    where type = 'index' and sql is not null`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  await sql`delete from webhook_migrations`.execute(db);
  expect(await migrateWebhooks(db)).toEqual(ALL);
  expect(await objectsOf(db)).toEqual(all);
  expect(rows.length).toBeGreaterThan(5);
});

test('creates the tables once, and says what it applied', async () => {
  const db = newFile().open();
  expect(await migrateWebhooks(db)).toEqual(ALL);
  expect(await migrateWebhooks(db)).toEqual([]);
});

test('gives the documented defaults to rows that others write', async () => {
  const db = newFile().open();
  await migrateWebhooks(db);
  await sql`insert into webhooks (url, secret, created_at, updated_at) values ('u', 's', 'c', 'c')`.execute(
    db,
  );
  await sql`insert into webhook_deliveries (webhook_id, event, created_at) values (1, 'a.b', 'c')`.execute(
    db,
  );
  const webhook = await sql`select description, events, is_active, created_by from webhooks`.execute(db);
  expect(webhook.rows).toEqual([{ description: '', events: '["*"]', is_active: 1, created_by: 0 }]);
  const delivery =
    await sql`select delivery_id, payload, status, status_code, response_body, attempts, completed_at
    from webhook_deliveries`.execute(db);
  expect(delivery.rows).toEqual([
    {
      delivery_id: '',
      payload: '{}',
      status: 'pending',
      status_code: 0,
      response_body: '',
      attempts: 0,
      completed_at: null,
    },
  ]);
});

test("rolls back whole when a table of somebody else's is in the way", async () => {
  const db = newFile().open();
  await sql`create table webhook_deliveries (mine text)`.execute(db);
  await expect(migrateWebhooks(db)).rejects.toMatchObject({
    code: 'storage_misconfigured',
    message: expect.stringMatching(/table "webhook_deliveries" already exists.*option tablePrefix/),
    cause: expect.objectContaining({ code: 'SQLITE_ERROR' }),
  });
  expect(await objectsOf(db)).toEqual(['webhook_deliveries']);
  await sql`drop table webhook_deliveries`.execute(db);
  expect(await migrateWebhooks(db)).toEqual(ALL);
});

test('refuses a database of a state before the first release, by name, and changes nothing', async () => {
  const db = newFile().open();
  await migrateWebhooks(db);
  await sql`update webhook_migrations set name = 'webhooks_0001_create_tables'`.execute(db);
  await sql`drop table webhook_activity`.execute(db);
  const before = await objectsOf(db);
  await expect(migrateWebhooks(db)).rejects.toMatchObject({
    code: 'storage_misconfigured',
    message: expect.stringContaining('webhooks_0001_create_tables'),
  });
  expect(await objectsOf(db)).toEqual(before);
});

test('leaves a database of a later version as it is', async () => {
  const db = newFile().open();
  await migrateWebhooks(db);
  await sql`insert into webhook_migrations (name, applied_at) values ('webhooks_9999_later', 'c')`.execute(
    db,
  );
  expect(await migrateWebhooks(db)).toEqual([]);
});

test("runs in Kysely's own Migrator, up and down", async () => {
  const db = newFile().open();
  const Migrator = await loadMigrator();
  const migrator = new Migrator({ db, provider: { getMigrations: async () => webhookMigrations } });
  const up = await migrator.migrateToLatest();
  expect(up.error).toBeUndefined();
  expect(await kyselyStorage(db).findWebhook(1)).toBeUndefined();
  for (const _ of ALL) expect((await migrator.migrateDown()).error).toBeUndefined();
  const left = await objectsOf(db);
  expect(left.filter((name) => name.startsWith('webhook'))).toEqual([]);
});
