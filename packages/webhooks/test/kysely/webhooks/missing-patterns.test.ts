import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrateWebhooks } from '../../../src/kysely/migrations/migrate.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

/** A database in which another program has written a webhook for each of these texts. */
async function databaseWith(...events: string[]) {
  const db = await migratedSqlite();
  const at = '2026-11-20T04:10:00.123Z';
  await db
    .insertInto('webhooks')
    .values(
      events.map((text) => ({
        url: 'https://hooks.example.com/',
        secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        events: text,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
  const patterns = async () =>
    (await db.selectFrom('webhook_patterns').select('pattern').orderBy('pattern').execute()).map(
      ({ pattern }) => pattern,
    );
  return { db, patterns };
}

test('what the events of a row name is written once, and what is no pattern is left out', async () => {
  const { db, patterns } = await databaseWith('["order.*","order.*","*","a*b","no verb","-",7]', '["a.b"]');
  expect(await migrateWebhooks(db)).toEqual([]);
  expect(await patterns()).toEqual(['*', 'a.b', 'order.*']);
});

test('rows without a pattern, however many, are no reason to write', async () => {
  const { db, patterns } = await databaseWith(...Array.from({ length: 101 }, () => '[]'), '{', '["a*b"]');
  await sql`pragma query_only = on`.execute(db);
  expect(await migrateWebhooks(db)).toEqual([]);
  expect(await patterns()).toEqual([]);
});
