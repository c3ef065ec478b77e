import { expect, test } from 'vitest';
import { kyselyStorage } from '../../../src/kysely/index.ts';
import { changing } from '../../../src/storage/changed-state.ts';
import { NEW_WEBHOOK } from '../example-rows.ts';
import { migratedSqlite } from '../migrated-sqlite.ts';

/** What somebody else may have written into a column of JSON. */
const UNREADABLE = ['', '{', 'null', '{"0":1}', '"text"', '7'];

test.each(UNREADABLE)(
  'damaged events %j leave the patterns as they are, and hide no other webhook',
  async (text) => {
    const db = await migratedSqlite();
    const storage = kyselyStorage(db);
    const damaged = await storage.createWebhook(NEW_WEBHOOK);
    const sound = await storage.createWebhook(NEW_WEBHOOK);
    await db.updateTable('webhooks').set({ events: text }).where('id', '=', damaged.id).execute();
    const query = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    const { webhooks } = await storage.listWebhooks(query);
    expect(webhooks).toEqual([damaged, sound]);
    const change = { events: ['a.b'], updatedAt: NEW_WEBHOOK.createdAt };
    expect(await storage.changeWebhook(damaged.id, changing(change))).toMatchObject({ events: ['a.b'] });
  },
);

test('a change of patterns keeps the rows that stay, and a repeated pattern is one row', async () => {
  const db = await migratedSqlite();
  const storage = kyselyStorage(db);
  const { id } = await storage.createWebhook({ ...NEW_WEBHOOK, events: ['a.*', 'b.*', 'a.*'] });
  const patterns = async () =>
    (await db.selectFrom('webhook_patterns').select('pattern').orderBy('pattern').execute()).map(
      ({ pattern }) => pattern,
    );
  expect(await patterns()).toEqual(['a.*', 'b.*']);
  const updatedAt = NEW_WEBHOOK.createdAt;
  await storage.changeWebhook(id, changing({ events: ['b.*', 'c.*', 'c.*'], updatedAt }));
  expect(await patterns()).toEqual(['b.*', 'c.*']);
  await storage.changeWebhook(id, changing({ description: 'else', updatedAt }));
  expect(await patterns()).toEqual(['b.*', 'c.*']);
});

test('a search finds what LIKE would take for a placeholder, and nothing else', async () => {
  const storage = kyselyStorage(await migratedSqlite());
  for (const description of ['100% sure', '100 percent', 'snake_case', 'snake-case', 'back\\slash']) {
    await storage.createWebhook({ ...NEW_WEBHOOK, description });
  }
  const found = async (search: string) => {
    const query = { search, limit: 9, offset: 0, sort: 'id', order: 'asc' } as const;
    const { webhooks } = await storage.listWebhooks(query);
    return webhooks.map(({ description }) => description);
  };
  expect(await found('0%')).toEqual(['100% sure']);
  expect(await found('e_c')).toEqual(['snake_case']);
  expect(await found('k\\s')).toEqual(['back\\slash']);
});
