import assert from 'node:assert/strict';
import { WEBHOOK_SETTINGS } from '../../../src/storage/webhook-record.ts';
import type { WebhookSort } from '../../../src/storage/webhook-requests.ts';
import { AWKWARD_TEXTS, type HarnessCases, present } from '../contract-harness.ts';

/** Registering, changing, listing and removing webhooks. */
export const webhookCases: HarnessCases = {
  async 'returns and finds a created webhook as it was given, without its secret'(harness) {
    const createdAt = harness.at();
    const examples = Object.entries(WEBHOOK_SETTINGS).map(([name, { example }]) => [name, example]);
    const fields = {
      ...Object.fromEntries(examples),
      tenant: 'acme',
      url: 'https://a.example/in?x=1',
      name: 'Ledger Ünal',
      description: 'Invoices',
      events: ['order.*', 'user.created'],
      isActive: true,
      maxPerMinute: 60_000,
      createdBy: 42,
      createdByUid: 'Ünal-42',
    };
    const webhook = await harness.createWebhook({ ...fields, secret: 'whsec_abc', createdAt });
    assert.ok(Number.isInteger(webhook.id) && webhook.id > 0);
    assert.deepEqual(webhook, {
      id: webhook.id,
      ...fields,
      inactiveReason: '',
      inactiveSince: null,
      previousSecretExpiresAt: null,
      createdAt,
      updatedAt: createdAt,
    });
    assert.deepEqual(await harness.storage.findWebhook(webhook.id), webhook);
    const inactive = await harness.createWebhook({ isActive: false });
    const found = present(await harness.storage.findWebhook(inactive.id));
    assert.deepEqual(
      [found.isActive, found.name, found.createdByUid, found.maxPerMinute],
      [false, '', null, null],
    );
  },
  async 'keeps texts as they are: quotes, wildcards, placeholders, every script, at their greatest length'(
    harness,
  ) {
    for (const text of [...AWKWARD_TEXTS, 'é'.repeat(1_000)]) {
      const url = `https://a.example/${text}`;
      // A pattern has at most 128 characters.
      const events = [text.slice(0, 128), 'b.*'];
      const { id } = await harness.createWebhook({ url, description: text, events });
      const found = present(await harness.storage.findWebhook(id));
      assert.deepEqual([found.url, found.description, found.events], [url, text, events]);
      const updated = present(await harness.change(id, { description: `${text}!` }));
      assert.equal(updated.description, `${text}!`);
    }
    const events = Array.from({ length: 100 }, (_, i) => `${'p'.repeat(122)}${String(i).padStart(3, '0')}.*`);
    const { id } = await harness.createWebhook({ url: `https://a.example/${'x'.repeat(2_000)}`, events });
    assert.deepEqual((await harness.storage.findWebhook(id))?.events, events);
  },
  async 'takes a pattern given twice, and shows it as given'(harness) {
    const { id } = await harness.createWebhook({ events: ['order.*', 'order.*'] });
    assert.deepEqual((await harness.storage.findWebhook(id))?.events, ['order.*', 'order.*']);
    assert.equal((await harness.dispatch()).deliveryIds.length, 1);
  },
  async 'lists the webhooks that have one of some patterns, each once, and counts them'(harness) {
    const all = await harness.createWebhook({ events: ['*', 'order.*'] });
    await harness.createWebhook({ events: ['order.item.*', 'orders.*', 'Order.*'] });
    const paused = await harness.createWebhook({ events: ['order.created'], isActive: false });
    const removed = await harness.createWebhook({ events: ['*'] });
    await harness.storage.deleteWebhook(removed.id);
    const query = { patterns: ['*', 'order.*', 'order.created'], sort: 'id', order: 'asc' } as const;
    const { webhooks, total } = await harness.storage.listWebhooks({ ...query, limit: 1, offset: 0 });
    assert.deepEqual([webhooks.map(({ id }) => id), total], [[all.id], 2]);
    assert.deepEqual(await harness.listIds({ ...query, offset: 1 }), [paused.id]);
  },
  async 'answers with copies: changing one changes nothing that is stored'(harness) {
    const { id } = await harness.createWebhook({ events: ['order.*'] });
    const found = present(await harness.storage.findWebhook(id));
    (found.events as string[]).push('user.*');
    assert.deepEqual((await harness.storage.findWebhook(id))?.events, ['order.*']);
  },
  async 'finds, changes and removes nothing under an id that is not there'(harness) {
    const { id } = await harness.createWebhook();
    for (const missing of [id + 1, 0, -1, Number.MAX_SAFE_INTEGER]) {
      assert.equal(await harness.storage.findWebhook(missing), undefined);
      const change = { events: ['a.b'], updatedAt: harness.at() };
      assert.equal(await harness.change(missing, change), undefined);
      assert.equal(await harness.storage.deleteWebhook(missing), false);
    }
    assert.deepEqual(await harness.listIds({}), [id]);
  },
  async 'replaces the given fields and leaves the others'(harness) {
    const webhook = await harness.createWebhook({ description: 'before', events: ['order.*'] });
    await harness.pass(10);
    const updatedAt = harness.at();
    const paused = await harness.change(webhook.id, { isActive: false, updatedAt });
    assert.deepEqual(paused, { ...webhook, isActive: false, inactiveSince: updatedAt, updatedAt });
    await harness.pass(10);
    const change = {
      url: 'https://b.example/',
      name: 'After',
      description: '',
      events: ['user.*'],
      isActive: true,
      maxPerMinute: 1,
      updatedAt: harness.at(),
    };
    const changed = await harness.change(webhook.id, change);
    assert.deepEqual(changed, { ...webhook, ...change });
    assert.deepEqual(await harness.storage.findWebhook(webhook.id), changed);
  },
  async 'matches by the new patterns after a change, and no longer by the old ones'(harness) {
    const { id } = await harness.createWebhook({ events: ['order.*', 'user.*'] });
    await harness.change(id, { events: ['user.*', 'role.*'] });
    const written = async (pattern: string) =>
      (await harness.dispatch({ target: { patterns: [pattern] } })).deliveryIds.length;
    assert.deepEqual([await written('order.*'), await written('user.*'), await written('role.*')], [0, 1, 1]);
  },
  async 'also finds webhooks with one of the patterns searched for, within the other conditions'(harness) {
    const { id: named } = await harness.createWebhook({ description: 'order.paid', events: ['a.b'] });
    const { id: exact } = await harness.createWebhook({ events: ['a.b', 'order.paid'] });
    const { id: prefix } = await harness.createWebhook({ events: ['order.*'], isActive: false });
    const { id: late } = await harness.createWebhook({ events: ['order.paid.late', '*'] });
    const query = { search: 'order.paid', searchPatterns: ['order.*', 'order.paid'] };
    assert.deepEqual(await harness.listIds(query), [named, exact, prefix]);
    assert.deepEqual(await harness.listIds({ ...query, isActive: true }), [named, exact]);
    assert.deepEqual(await harness.listIds({ ...query, searchPatterns: [] }), [named]);
    const below = { search: 'order.*', searchPrefix: 'order.' };
    const { id: near } = await harness.createWebhook({ events: ['orders.paid', 'Order.paid', 'order_x.*'] });
    assert.deepEqual(await harness.listIds(below), [exact, prefix, late]);
    assert.deepEqual(await harness.listIds({ ...below, searchPrefix: 'orders.' }), [near]);
  },
  async 'finds webhooks by a part of their tenant, unless those of one are listed'(harness) {
    const { id } = await harness.createWebhook({ tenant: 'Acme Shops' });
    await harness.createWebhook({ tenant: 'globex' });
    await harness.createWebhook();
    assert.deepEqual(await harness.listIds({ search: 'acme' }), [id]);
    assert.deepEqual(await harness.listIds({ search: 'acme', tenant: 'Acme Shops' }), []);
  },
  async 'pages through a list and counts all that match'(harness) {
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.push((await harness.createWebhook()).id);
    const page = async (offset: number) => {
      const query = { limit: 2, offset, sort: 'id', order: 'asc' } as const;
      const { webhooks, total } = await harness.storage.listWebhooks(query);
      assert.equal(total, 5);
      return webhooks.map(({ id }) => id);
    };
    assert.deepEqual(
      [await page(0), await page(2), await page(4), await page(6)],
      [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []],
    );
  },
  async 'sorts by each column in both directions, ties by id in the same direction'(harness) {
    const [first, second, third] = [harness.at(1), harness.at(2), harness.at(3)];
    const [b1, a, b2] = [
      await harness.createWebhook({ url: 'https://b.example/', createdAt: first }),
      await harness.createWebhook({ url: 'https://a.example/', createdAt: second }),
      await harness.createWebhook({ url: 'https://b.example/', createdAt: first }),
    ].map(({ id }) => id);
    await harness.change(present(b2), { updatedAt: third });
    const expected: Record<Exclude<WebhookSort, 'level'>, unknown[]> = {
      id: [b1, a, b2],
      url: [a, b1, b2],
      created_at: [b1, b2, a],
      updated_at: [b1, a, b2],
    };
    for (const sort of ['id', 'url', 'created_at', 'updated_at'] as const) {
      assert.deepEqual(await harness.listIds({ sort, order: 'asc' }), expected[sort], sort);
      assert.deepEqual(await harness.listIds({ sort, order: 'desc' }), expected[sort].toReversed(), sort);
    }
  },
  async 'searches URL, name and description for the text itself, ASCII letters in any case'(harness) {
    const { id: percent } = await harness.createWebhook({
      url: 'https://a.example/Off',
      description: '100% Sure',
    });
    const { id: under } = await harness.createWebhook({
      url: 'https://b.example/x_y',
      name: 'Named',
      description: 'back\\slash',
    });
    const { id: accent } = await harness.createWebhook({ url: 'https://c.example/xzy', description: 'É' });
    const expected: [string, number[]][] = [
      ['', [percent, under, accent]],
      ['EXAMPLE', [percent, under, accent]],
      ['off', [percent]],
      ['nAmed', [under]],
      ['sure', [percent]],
      ['%', [percent]],
      ['_', [under]],
      ['x_y', [under]],
      ['\\', [under]],
      ['É', [accent]],
      ['é', []],
      ["' OR 1=1 --", []],
      ['nowhere', []],
    ];
    for (const [search, ids] of expected) assert.deepEqual(await harness.listIds({ search }), ids, search);
  },
  async 'narrows a list by activity and search together, its total too'(harness) {
    const { id: match } = await harness.createWebhook({ isActive: false, description: 'billing' });
    const { id: active } = await harness.createWebhook({ description: 'billing' });
    await harness.createWebhook({ isActive: false, description: 'other' });
    assert.deepEqual(await harness.listIds({ isActive: true }), [active]);
    const query = {
      isActive: false,
      search: 'bill',
      limit: 1,
      offset: 0,
      sort: 'id',
      order: 'asc',
    } as const;
    const { webhooks, total } = await harness.storage.listWebhooks(query);
    assert.deepEqual([webhooks.map(({ id }) => id), total], [[match], 1]);
  },
};
