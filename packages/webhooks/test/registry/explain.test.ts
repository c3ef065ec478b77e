import { describe, expect, it } from 'vitest';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';

describe.each(STORAGES)('explain on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  function shop() {
    return harness.engine({ events: { 'order.created': { label: 'Order placed' } } }).webhooks;
  }

  it('says what dispatch then does', async () => {
    const webhooks = shop();
    for (const events of [['*'], ['order.*'], ['user.*'], ['order.created'], ['order.item.*']]) {
      await webhooks.create({ url: 'http://127.0.0.1/', events, isActive: events[0] !== '*' });
    }
    for (const event of ['order.created', 'order.item.added', 'user.created', 'setting.updated']) {
      const explained = await webhooks.explain(event);
      const receivers = explained.webhooks.filter(({ receives }) => receives);
      expect(await webhooks.dispatch(event, {})).toMatchObject({ deliveries: receivers.length });
    }
  });

  it('pages by id, and answers for those that a search finds, or for one webhook', async () => {
    const webhooks = shop();
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await webhooks.create({ url: 'http://127.0.0.1/' })).id);
    const page = await webhooks.explain('user.created', { limit: 2, offset: 2 });
    expect(page).toMatchObject({ total: 5, limit: 2, offset: 2 });
    expect(page.webhooks.map(({ webhookId }) => webhookId)).toEqual(ids.slice(2, 4));
    await webhooks.create({ url: 'http://127.0.0.1/', description: 'Orders of Zoë' });
    const found = await webhooks.explain('user.created', { search: 'orders of' });
    expect(found).toMatchObject({ total: 1, webhooks: [{ reason: 'subscribed' }] });
    const one = await webhooks.explain('user.created', { webhookId: ids[3] });
    expect(one).toMatchObject({ total: 1, webhooks: [{ webhookId: ids[3], reason: 'subscribed' }] });
    expect(await webhooks.explain('user.created', { webhookId: ids[3], offset: 1 })).toMatchObject({
      total: 1,
      webhooks: [],
    });
  });
});
