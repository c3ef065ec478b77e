import { type Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWebhooks } from '../../../src/index.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import { databaseServers } from '../database-servers.ts';

const EVENT = 'order.paid';

describe.each(databaseServers)('a webhook that SQL wrote, on $name', ({ skipped, create }) => {
  async function open() {
    const database = await create();
    onTestFinished(() => database.remove());
    const db = database.open();
    await migrateWebhooks(db);
    const webhooks = createWebhooks({ storage: kyselyStorage(db) });
    onTestFinished(() => webhooks.close());
    return { db, webhooks };
  }

  /** Writes what the table demands, and these columns; the rest are defaults. */
  async function insert(db: Kysely<unknown>, columns: Readonly<Record<string, string>> = {}): Promise<void> {
    const at = '2026-11-20T04:10:00.123Z';
    const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const row = { url: 'https://a.example/', secret, created_at: at, updated_at: at, ...columns };
    await db.withTables<{ webhooks: typeof row }>().insertInto('webhooks').values(row).execute();
  }

  test.skipIf(skipped)('receives what explain and the lists say that it receives', async () => {
    const { db, webhooks } = await open();
    await insert(db);
    const seen = async () => {
      const { webhooks: explained } = await webhooks.explain(EVENT);
      const { webhooks: listed } = await webhooks.list();
      const { deliveries } = await webhooks.dispatch(EVENT, {});
      return [explained.map(({ receives }) => receives), listed.map(({ events }) => events), deliveries];
    };
    expect(await seen()).toEqual([[false], [[]], 0]);
    expect(await migrateWebhooks(db)).toEqual([]);
    expect(await seen()).toEqual([[true], [['*']], 1]);
  });

  test.skipIf(skipped)(
    'gets the patterns of its text, those that can be one, and keeps its own',
    async () => {
      const { db, webhooks } = await open();
      await webhooks.create({ url: 'https://a.example/', events: ['b.*', 'a.*'] });
      await sql`update webhooks set events = '["c.*"]'`.execute(db);
      const long = 'x'.repeat(200);
      const texts = ['["z.a","a.*"]', `["\\u0000", "é", 7, "${long}.a", "a b", "d.e"]`, '[]', '{'];
      for (const events of texts) await insert(db, { events });
      await Promise.all([migrateWebhooks(db), migrateWebhooks(db)]);
      const { webhooks: listed } = await webhooks.list({ sort: 'id', order: 'asc' });
      expect(listed.map(({ events }) => events)).toEqual([['a.*', 'b.*'], ['z.a', 'a.*'], ['d.e'], [], []]);
      expect((await webhooks.get(2)).events).toEqual(['z.a', 'a.*']);
    },
  );

  test.skipIf(skipped)('is one of many, which take several steps', async () => {
    const { db, webhooks } = await open();
    const at = '2026-11-20T04:10:00.123Z';
    const rows = Array.from({ length: 250 }, () => ({
      url: 'https://a.example/',
      secret: 's',
      created_at: at,
      updated_at: at,
    }));
    await db.withTables<{ webhooks: (typeof rows)[number] }>().insertInto('webhooks').values(rows).execute();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await migrateWebhooks(db).finally(() => (isOver = true));
    expect((await webhooks.dispatch(EVENT, {})).deliveries).toBe(250);
    expect(turns).toBeGreaterThan(2);
  });
});
