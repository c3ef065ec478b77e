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
  it('changes nothing, the time of the last change included, when no field is given', async () => {
    const { webhooks, tick } = engine();
    const { secret: _, ...before } = await webhooks.create({ url: URL_OK });
    tick();
    expect(await webhooks.update(before.id, {})).toEqual(before);
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
