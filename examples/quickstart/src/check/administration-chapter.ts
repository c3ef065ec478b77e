import Database from 'libsql';
import type { ChapterParts } from './chapter.ts';
import { eventually, expectEqual } from './expectation.ts';
import { type DeliveryPageJson, registerWebhook } from './webhook-fixture.ts';

/** The actions of an administrator on a webhook in the course of its life. */
export async function checkAdministration({ step, demo, admin, customer }: ChapterParts): Promise<void> {
  const placeOrder = async () => {
    const order = await customer.post('/api/orders', { item: 'Table', quantity: 1 });
    expectEqual('status of the order', order.status, 201);
  };
  const webhook = await step('A webhook is registered and gets two orders', async (say) => {
    const registered = await registerWebhook(demo, admin, 'administered', ['order.*']);
    await placeOrder();
    await registered.newest('success');
    await placeOrder();
    await registered.newest('success');
    say(`id ${registered.id}, ${JSON.stringify(await registered.counts())}`);
    expectEqual('counts', await registered.counts(), { total: 2, success: 2, failed: 0, pending: 0 });
    return registered;
  });

  await step('Its history comes in pages, the newest first', async (say) => {
    const first = await admin.get<DeliveryPageJson>(`${webhook.path}/deliveries?limit=1`);
    const cursor = first.json.next_cursor ?? '';
    const second = await admin.get<DeliveryPageJson>(`${webhook.path}/deliveries?limit=1&cursor=${cursor}`);
    const all = await webhook.history();
    const paged = [...first.json.deliveries, ...second.json.deliveries].map(
      (delivery) => delivery.delivery_id,
    );
    say(`two pages of one, then next_cursor ${second.json.next_cursor}`);
    expectEqual(
      'pages',
      paged,
      all.map((delivery) => delivery.delivery_id),
    );
    expectEqual('end', second.json.next_cursor, null);
  });

  await step('Deactivated, it gets nothing, and a test is refused', async (say) => {
    const change = await admin.put<{ is_active: boolean }>(webhook.path, { is_active: false });
    await placeOrder();
    const test = await admin.post(`${webhook.path}/test`);
    const counts = await webhook.counts();
    say(
      `update ${change.summary}, still ${counts?.total} deliveries after another order, test ${test.summary}`,
    );
    expectEqual('active', [change.status, change.json.is_active], [200, false]);
    expectEqual('deliveries', counts?.total, 2);
    expectEqual('test', test.summary, '409 webhook_inactive');
  });

  await step('Activated, it gets the next order', async (say) => {
    const change = await admin.put<{ is_active: boolean }>(webhook.path, { is_active: true });
    await placeOrder();
    await webhook.newest('success');
    const counts = await webhook.counts();
    say(`update ${change.summary}, ${counts?.total} deliveries`);
    expectEqual('active', [change.status, change.json.is_active], [200, true]);
    expectEqual('deliveries', counts?.total, 3);
  });

  await step('A test event goes out, signed, whatever the patterns', async (say) => {
    const test = await admin.post<{ delivery_id: string }>(`${webhook.path}/test`);
    const delivery = await webhook.newest('success');
    const arrived = (await webhook.arrivals()).at(-1);
    say(
      `test ${test.summary}; recipient: ${arrived?.headers['x-webhook-event']}, signature ${arrived?.signature}`,
    );
    expectEqual('test', test.status, 202);
    expectEqual('delivery', [delivery.delivery_id, delivery.event], [test.json.delivery_id, 'webhook.test']);
    expectEqual(
      'signature',
      [arrived?.headers['x-webhook-event'], arrived?.signature],
      ['webhook.test', 'verified'],
    );
  });

  await step('Deleted, it is gone with its deliveries', async (say) => {
    const before = rowsOf(demo.databaseFile, webhook.id);
    const deletion = await admin.delete(webhook.path);
    const detail = await admin.get(webhook.path);
    const history = await admin.get(`${webhook.path}/deliveries`);
    // The rows go in the background.
    await eventually(
      'a history without rows',
      async () => rowsOf(demo.databaseFile, webhook.id) === 0 || undefined,
    );
    say(`delete ${deletion.summary}, detail ${detail.summary}, history ${history.summary}`);
    say(`rows in the database file: ${before} before, none after`);
    expectEqual('status of the deletion', deletion.status, 204);
    expectEqual(
      'afterwards',
      [detail.summary, history.summary],
      ['404 webhook_not_found', '404 webhook_not_found'],
    );
    expectEqual('rows', before, 4);
  });
}

/**
 * Counts the delivery records of a webhook in the database file, because the API can no longer show
 * them.
 */
function rowsOf(databaseFile: string, webhookId: number): unknown {
  const database = new Database(databaseFile, { readonly: true });
  try {
    const query = database.prepare('select count(*) as rows from webhook_deliveries where webhook_id = ?');
    const row = query.get(webhookId);
    return typeof row === 'object' && row !== null && 'rows' in row ? row.rows : undefined;
  } finally {
    database.close();
  }
}
