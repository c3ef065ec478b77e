import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';

const URL_OK = 'http://127.0.0.1:9999/hook';

function engine() {
  let now = Date.parse('2026-11-20T12:00:00.000Z');
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    clock: () => now,
  });
  return { webhooks, tick: () => (now += 1_000) };
}

describe('registering a webhook', () => {
  it('fills in what is left out and shows the secret this once', async () => {
    const { webhooks } = engine();
    const created = await webhooks.create({ url: URL_OK });
    expect(created).toEqual({
      id: 1,
      tenant: '',
      url: URL_OK,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      name: '',
      description: '',
      events: ['*'],
      isActive: true,
      maxPerMinute: null,
      inactiveReason: '',
      inactiveSince: null,
      previousSecretExpiresAt: null,
      createdBy: 0,
      createdByUid: null,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    });
    const later = [
      await webhooks.get(1),
      await webhooks.list(),
      await webhooks.update(1, { description: 'x' }),
    ];
    expect(JSON.stringify(later)).not.toContain('secret');
    expect(JSON.stringify(later)).not.toContain('whsec_');
  });

  it.each([
    ['42', 42],
    ['007', 7],
    ['-5', -5],
    ['ada', 0],
    [null, 0],
  ])('shows the creator %j as the integer %d', async (createdByUid, createdBy) => {
    const { webhooks } = engine();
    expect(await webhooks.create({ url: URL_OK, createdByUid })).toMatchObject({ createdBy, createdByUid });
  });

  it('gives every webhook another secret', async () => {
    const { webhooks } = engine();
    const secrets = await Promise.all(Array.from({ length: 20 }, () => webhooks.create({ url: URL_OK })));
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(20);
  });

  it('removes duplicate patterns and keeps their order', async () => {
    const { webhooks } = engine();
    const { events } = await webhooks.create({ url: URL_OK, events: ['user.*', 'order.created', 'user.*'] });
    expect(events).toEqual(['user.*', 'order.created']);
  });

  it.each([
    ['no input', undefined, 'validation_failed', ['']],
    ['no URL', {}, 'validation_failed', ['url']],
    ['a URL that is no text', { url: 7 }, 'validation_failed', ['url']],
    [
      'a URL of 2,049 characters',
      { url: `http://127.0.0.1/${'x'.repeat(2_032)}` },
      'validation_failed',
      ['url'],
    ],
    ['a private URL', { url: 'http://10.0.0.1/' }, 'url_not_public', ['url']],
    ['an unreadable URL', { url: 'not a url' }, 'validation_failed', ['url']],
    ['a file URL', { url: 'file:///etc/passwd' }, 'validation_failed', ['url']],
    ['no patterns', { url: URL_OK, events: [] }, 'validation_failed', ['events']],
    [
      '101 patterns',
      { url: URL_OK, events: Array.from({ length: 101 }, (_, n) => `a.b${n}`) },
      'validation_failed',
      ['events'],
    ],
    [
      'bad patterns',
      { url: URL_OK, events: ['user.*', '*.created', 'user'] },
      'validation_failed',
      ['events[1]', 'events[2]'],
    ],
    ['patterns as text', { url: URL_OK, events: '*' }, 'validation_failed', ['events']],
    ['a name of two lines', { url: URL_OK, name: 'two\nlines' }, 'validation_failed', ['name']],
    ['a blank name', { url: URL_OK, name: ' ' }, 'validation_failed', ['name']],
    [
      'a description of 1,001 characters',
      { url: URL_OK, description: 'x'.repeat(1_001) },
      'validation_failed',
      ['description'],
    ],
    [
      'a description with U+0000',
      { url: URL_OK, description: 'a\u0000b' },
      'validation_failed',
      ['description'],
    ],
    ['isActive as a number', { url: URL_OK, isActive: 1 }, 'validation_failed', ['isActive']],
    ['a secret of its own', { url: URL_OK, secret: 'whsec_mine' }, 'validation_failed', ['secret']],
    [
      'a __proto__ field',
      JSON.parse(`{"url":"${URL_OK}","__proto__":{"isActive":false}}`),
      'validation_failed',
      ['__proto__'],
    ],
  ])('refuses %s', async (_, input, code, fields) => {
    const { webhooks } = engine();
    const create = webhooks.create as (input: unknown) => Promise<unknown>;
    const error = await create(input).then(
      () => expect.fail('it was accepted'),
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'WebhookError', code });
    expect((error as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(fields);
    expect((await webhooks.list()).total).toBe(0);
  });
});

describe('a refused field', () => {
  it.each([
    [{}, 'url', 'required'],
    [{ url: 7 }, 'url', 'invalid_type'],
    [{ url: null }, 'url', 'invalid_type'],
    [{ url: '' }, 'url', 'too_small'],
    [{ url: URL_OK, events: ['user'] }, 'events[0]', 'invalid_pattern'],
    [{ url: URL_OK, secret: 'x' }, 'secret', 'unknown_field'],
    [{ url: 'http://10.0.0.1/' }, 'url', 'url_not_public'],
    [{ url: 'http://intranet/' }, 'url', 'local_name'],
    [{ url: 'http://hooks.local/' }, 'url', 'local_name'],
    [{ url: 'https://a:b@example.com/' }, 'url', 'user_info'],
    [{ url: 'https://example.com:25/' }, 'url', 'port_not_allowed'],
    [{ url: 'example.com/hook' }, 'url', 'invalid_url'],
    [{ url: 'localhost:3000' }, 'url', 'invalid_url'],
    [{ url: `${URL_OK}?***` }, 'url', 'masked_url'],
    [{ url: `${URL_OK}?***&a=1#b` }, 'url', 'masked_url'],
    [{ url: `${URL_OK}?%2A%2a*` }, 'url', 'masked_url'],
  ])('of %j is %s: %s', async (input, field, code) => {
    const create = engine().webhooks.create as (input: unknown) => Promise<unknown>;
    await expect(create(input)).rejects.toMatchObject({
      errors: [{ field, code, message: expect.any(String) }],
    });
  });
});

describe('changing a webhook', () => {
  it('replaces the given fields alone', async () => {
    const { webhooks, tick } = engine();
    const before = await webhooks.create({ url: URL_OK, description: 'old', events: ['user.*'] });
    tick();
    const after = await webhooks.update(before.id, { description: 'new', isActive: false });
    const { secret: _, ...shown } = before;
    expect(after).toEqual({
      ...shown,
      description: 'new',
      isActive: false,
      inactiveSince: '2026-11-20T12:00:01.000Z',
      updatedAt: '2026-11-20T12:00:01.000Z',
    });
  });

  it('changes nothing, the time of the last change included, when no field is given', async () => {
    const { webhooks, tick } = engine();
    const { secret: _, ...before } = await webhooks.create({ url: URL_OK });
    tick();
    expect(await webhooks.update(before.id, {})).toEqual(before);
  });

  it('judges a new URL like a first one, and then changes nothing', async () => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: URL_OK });
    const update = webhooks.update(id, { url: 'http://192.168.0.1/', isActive: false });
    await expect(update).rejects.toMatchObject({ code: 'url_not_public' });
    expect(await webhooks.get(id)).toMatchObject({ url: URL_OK, isActive: true });
  });

  it.each([0, -1, 1.5, 2 ** 53, Number.NaN, '1' as unknown as number, 999])(
    'knows no webhook %s',
    async (id) => {
      const { webhooks } = engine();
      await webhooks.create({ url: URL_OK });
      const calls = [
        webhooks.get(id),
        webhooks.update(id, {}),
        webhooks.delete(id),
        webhooks.deliveries(id),
        webhooks.delivery(id, '0'.repeat(32)),
        webhooks.test(id),
      ];
      for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'webhook_not_found' });
    },
  );
});

describe('listing', () => {
  it('pages through webhooks, newest first unless asked otherwise', async () => {
    const { webhooks } = engine();
    for (const path of ['c', 'a', 'b']) await webhooks.create({ url: `http://127.0.0.1/${path}` });
    const paths = async (input: Parameters<typeof webhooks.list>[0]) =>
      (await webhooks.list(input)).webhooks.map(({ url }) => url.at(-1)).join('');
    expect(await paths({})).toBe('bac');
    expect(await paths({ sort: 'url', order: 'asc' })).toBe('abc');
    expect(await webhooks.list({ limit: 2, offset: 2 })).toMatchObject({ total: 3, limit: 2, offset: 2 });
    expect(await paths({ limit: 2, offset: 2 })).toBe('c');
    expect(await paths({ search: '/A' })).toBe('a');
    expect(await paths({ active: false })).toBe('');
  });

  it('shows the newest delivery of each webhook, asked for once per page', async () => {
    const storage = memoryStorage();
    const asked: (readonly number[])[] = [];
    const webhooks = createWebhooks({
      storage: {
        ...storage,
        readOverview(query) {
          asked.push(query.webhookIds ?? []);
          return storage.readOverview(query);
        },
      },
      egress: { allowedAddresses: ['127.0.0.1/32'] },
    });
    expect((await webhooks.list()).webhooks).toEqual([]);
    expect(asked).toEqual([]);
    for (const events of [['user.created'], ['user.*'], ['order.created']]) {
      await webhooks.create({ url: URL_OK, events });
    }
    await webhooks.dispatch('user.created', {});
    await webhooks.dispatch('user.updated', {});
    const { webhooks: page } = await webhooks.list({ order: 'asc' });
    expect(page.map(({ lastDelivery }) => lastDelivery?.event ?? null)).toEqual([
      'user.created',
      'user.updated',
      null,
    ]);
    expect(page[0]?.lastDelivery).toMatchObject({ webhookId: 1, status: 'pending' });
    expect(asked).toEqual([[1, 2, 3]]);
  });

  it.each([
    [{ limit: 0 }],
    [{ limit: 101 }],
    [{ offset: -1 }],
    [{ sort: 'secret' }],
    [{ order: 'up' }],
    [{ page: 1 }],
  ])('refuses %j', async (input) => {
    const list = engine().webhooks.list as (input: unknown) => Promise<unknown>;
    await expect(list(input)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('pages through a history without gaps or repeats while it grows', async () => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: URL_OK });
    for (let n = 0; n < 7; n += 1) await webhooks.dispatch(`page.number_${n}`, {});
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await webhooks.deliveries(id, { limit: 3, cursor });
      seen.push(...page.deliveries.map(({ event }) => event.slice(-1)));
      cursor = page.nextCursor ?? undefined;
      await webhooks.dispatch('page.meanwhile', {});
    } while (cursor !== undefined);
    expect(seen.join('')).toBe('6543210');
  });

  it('shows neither payload nor log of attempts in a history', async () => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: URL_OK });
    await webhooks.dispatch('user.created', { card: '4111' });
    const [summary] = (await webhooks.deliveries(id)).deliveries;
    expect(Object.keys(summary ?? {}).sort()).toEqual([
      'attempts',
      'completedAt',
      'createdAt',
      'deliveryId',
      'error',
      'event',
      'id',
      'nextAttemptAt',
      'responseBody',
      'status',
      'statusCode',
      'webhookId',
      'webhookName',
      'webhookUrl',
    ]);
  });

  it.each(['', 'x', 'a'.repeat(65)])('refuses the cursor %j', async (cursor) => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: URL_OK });
    await expect(webhooks.deliveries(id, { cursor })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'cursor' }],
    });
  });

  it("keeps one webhook's deliveries from another's", async () => {
    const { webhooks } = engine();
    const first = await webhooks.create({ url: URL_OK });
    const second = await webhooks.create({ url: URL_OK, events: ['order.*'] });
    await webhooks.dispatch('user.created', {});
    const [delivery] = (await webhooks.deliveries(first.id)).deliveries;
    expect((await webhooks.deliveries(second.id)).deliveries).toEqual([]);
    await expect(webhooks.delivery(second.id, delivery?.deliveryId ?? '')).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
  });
});
