import type { ChapterParts } from './chapter.ts';
import { eventually, expectEqual } from './expectation.ts';
import { registerWebhook, type WebhookFixture } from './webhook-fixture.ts';

/** Which webhook gets which event. */
export async function checkPatterns({ step, demo, admin, customer }: ChapterParts): Promise<void> {
  const [all, users, orders, invoices] = await step('Four webhooks subscribe differently', async (say) => {
    const registered = [
      await registerWebhook(demo, admin, 'everything', ['*']),
      await registerWebhook(demo, admin, 'users', ['user.*']),
      await registerWebhook(demo, admin, 'orders', ['order.created', 'order.cancelled']),
      await registerWebhook(demo, admin, 'invoices', ['invoice.*', 'orders.*', 'user.updated.twice']),
    ] as const;
    say('*; user.*; order.created, order.cancelled; invoice.*, orders.*, user.updated.twice');
    return registered;
  });

  await step('A registration, a new name, an order and its cancellation happen', async (say) => {
    const login = `newcomer-${Date.now()}`;
    const registered = await demo
      .newClient()
      .post('/api/auth/register', { login, name: 'New', password: 'long enough' });
    const renamed = await customer.put('/api/profile', { name: 'Renamed customer' });
    const order = await customer.post<{ id: number }>('/api/orders', { item: 'Chair', quantity: 4 });
    const cancelled = await customer.delete(`/api/orders/${order.json.id}`);
    const statuses = [registered, renamed, order, cancelled].map(({ status }) => status);
    say(statuses.join(', '));
    expectEqual('statuses', statuses, [201, 200, 201, 204]);
  });

  const expectations: readonly (readonly [string, WebhookFixture, readonly string[]])[] = [
    ['* gets all of them', all, ['order.cancelled', 'order.created', 'user.registered', 'user.updated']],
    ['user.* gets those of users', users, ['user.registered', 'user.updated']],
    ['Exact names get those alone', orders, ['order.cancelled', 'order.created']],
    ['A pattern that fits none gets none', invoices, []],
  ];
  for (const [title, webhook, expected] of expectations) {
    await step(title, async (say) => {
      // The records of one dispatch are written together. Once `all` has a delivery, the others
      // have theirs, too.
      if (expected.length > 0) await settled(webhook, expected.length);
      const arrived = (await webhook.arrivals())
        .map(({ headers }) => headers['x-webhook-event'] ?? '')
        .sort();
      const counts = await webhook.counts();
      say(`arrived: ${arrived.join(', ') || 'nothing'}; the API counts ${counts?.total}`);
      expectEqual('events that arrived', arrived, expected);
      expectEqual('deliveries', counts?.total, expected.length);
    });
  }
}

/** Waits until so many deliveries of the webhook have succeeded. */
async function settled(webhook: WebhookFixture, deliveries: number): Promise<void> {
  await eventually(`${deliveries} successful deliveries`, async () => {
    const counts = await webhook.counts();
    return counts !== undefined && counts.success >= deliveries ? true : undefined;
  });
}
