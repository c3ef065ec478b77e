import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Webhook } from '../../src/storage/records.ts';
import { createTestEngine } from '../engine/engine.ts';
import { type OpenedStorage, STORAGES } from '../engine/storages.ts';

describe.each(STORAGES)('explain on $name', ({ open }) => {
  let opened: OpenedStorage;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  function shop() {
    return createTestEngine(opened.storage, { events: { 'order.created': { label: 'Order placed' } } })
      .webhooks;
  }

  it('says of each webhook whether it receives the event, and why or why not', async () => {
    const webhooks = shop();
    const all = await webhooks.create({ url: 'http://127.0.0.1/all' });
    const some = await webhooks.create({
      url: 'http://127.0.0.1/some',
      events: ['user.*', 'order.*', 'order.created'],
    });
    const other = await webhooks.create({
      url: 'http://127.0.0.1/other',
      events: ['orders.*', 'user.created'],
    });
    const off = await webhooks.create({ url: 'http://127.0.0.1/off', events: ['order.*'], isActive: false });
    const none = await webhooks.create({ url: 'http://127.0.0.1/none', events: ['user.*'], isActive: false });
    const explained = await webhooks.explain('order.created');
    expect(explained).toMatchObject({ event: 'order.created', known: true, total: 5, limit: 50, offset: 0 });
    const of = ({ id, url, name, isActive, events }: Webhook) => ({
      webhookId: id,
      url,
      name,
      isActive,
      patterns: events,
    });
    expect(explained.webhooks).toEqual([
      { ...of(all), receives: true, reason: 'subscribed', matchedPatterns: ['*'] },
      {
        ...of(some),
        receives: true,
        reason: 'subscribed',
        matchedPatterns: ['order.*', 'order.created'],
      },
      { ...of(other), receives: false, reason: 'no_matching_pattern', matchedPatterns: [] },
      { ...of(off), receives: false, reason: 'inactive', matchedPatterns: ['order.*'] },
      { ...of(none), receives: false, reason: 'inactive', matchedPatterns: [] },
    ]);
  });

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
