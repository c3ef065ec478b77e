import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/signing/verify.ts';
import { useEngineHarness } from './engine-harness.ts';
import type { Recipient } from './recipient.ts';
import { ALL_STORAGES } from './storages.ts';

describe.each(ALL_STORAGES)('delivery on $name', ({ open }) => {
  const { engine, recipient } = useEngineHarness(open);

  it('sends a signed callback that both verifiers accept, and records the answer', async () => {
    const target = await recipient((_, response) => response.writeHead(200).end('thank you'));
    const { webhooks, ended, errors } = engine();
    await webhooks.start();
    const webhook = await webhooks.create({ url: target.url, events: ['order.created'] });
    const result = await webhooks.dispatch('order.created', { id: 7, note: 'ü' });
    expect(result).toEqual({ deliveries: 1, repeated: false });

    const delivery = await ended(webhook.id);
    expect(delivery).toMatchObject({
      webhookId: webhook.id,
      event: 'order.created',
      status: 'success',
      statusCode: 200,
      responseBody: 'thank you',
      error: '',
      attempts: 1,
      nextAttemptAt: null,
      attemptLog: [{ attempt: 1, statusCode: 200, error: '', responseBody: 'thank you' }],
    });
    expect(target.received).toHaveLength(1);
    const [callback] = target.received;
    if (callback === undefined) throw new Error('unreachable');
    expect(callback).toMatchObject({ method: 'POST', path: '/hook' });
    expect(callback.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^acme-webhooks\/\d+\.\d+\.\d+$/),
      'x-webhook-id': delivery.deliveryId,
      'x-webhook-event': 'order.created',
      'x-webhook-attempt': '1',
      'x-webhook-timestamp': String(Math.floor(Date.parse(delivery.createdAt) / 1_000)),
    });
    const { headers, body } = callback;
    expect(JSON.parse(body)).toEqual({
      type: 'order.created',
      timestamp: delivery.createdAt,
      data: { id: 7, note: 'ü' },
    });
    for (const scheme of ['standard', 'x-webhook'] as const) {
      const event = await verify({ secret: webhook.secret, headers, body, scheme });
      expect(event).toMatchObject({
        id: delivery.deliveryId,
        type: 'order.created',
        data: { id: 7, note: 'ü' },
      });
    }
    const signed = `${headers['x-webhook-id']}.${headers['x-webhook-timestamp']}.${body}`;
    expect(createHmac('sha256', webhook.secret).update(signed).digest('hex')).toBe(
      headers['x-webhook-signature'],
    );
    expect(errors).toEqual([]);
  });

  it('sends nothing but the specified headers when the Standard Webhooks ones are turned off', async () => {
    const target = await recipient();
    const { webhooks, ended } = engine({ standardHeaders: false });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await ended(id);
    const names = Object.keys(target.received[0]?.headers ?? {});
    expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('x-webhook-')).sort()).toEqual([
      'x-webhook-attempt',
      'x-webhook-event',
      'x-webhook-id',
      'x-webhook-signature',
      'x-webhook-timestamp',
    ]);
  });

  it('delivers each event once to every active webhook that subscribes, and to no other', async () => {
    const target = await recipient();
    const { webhooks } = engine();
    await webhooks.start();
    const base = target.url.replace('/hook', '');
    await webhooks.create({ url: `${base}/all` });
    await webhooks.create({ url: `${base}/twice`, events: ['*', 'user.*', 'user.created'] });
    await webhooks.create({ url: `${base}/users`, events: ['user.*'] });
    await webhooks.create({ url: `${base}/exact`, events: ['user.created'] });
    await webhooks.create({ url: `${base}/orders`, events: ['order.*', 'users.*', 'user.created.more'] });
    await webhooks.create({ url: `${base}/inactive`, isActive: false });
    const { deliveries } = await webhooks.dispatch('user.created', { id: 1 });
    expect(deliveries).toBe(4);
    await target.receivedCount(4);
    await webhooks.close();
    expect(target.received.map(({ path }) => path).sort()).toEqual(['/all', '/exact', '/twice', '/users']);
  });

  it('repeats the same bytes under the same id until the recipient accepts', async () => {
    const target = await recipient((_, response, n) =>
      response.writeHead(n < 3 ? 500 : 200).end(`answer ${n}`),
    );
    const { webhooks, ended, failed } = engine();
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', { id: 1 });
    const delivery = await ended(id);
    expect(delivery).toMatchObject({
      status: 'success',
      statusCode: 200,
      responseBody: 'answer 3',
      attempts: 3,
    });
    expect(delivery.attemptLog.map(({ attempt, statusCode, error }) => [attempt, statusCode, error])).toEqual(
      [
        [1, 500, 'http_500'],
        [2, 500, 'http_500'],
        [3, 200, ''],
      ],
    );
    const same = (pick: (callback: Recipient['received'][number]) => unknown) =>
      new Set(target.received.map(pick)).size;
    expect(same(({ body }) => body)).toBe(1);
    expect(same(({ headers }) => headers['x-webhook-id'])).toBe(1);
    expect(same(({ headers }) => headers['x-webhook-timestamp'])).toBe(1);
    expect(same(({ headers }) => headers['x-webhook-signature'])).toBe(1);
    expect(target.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3']);
    expect(failed).toEqual([]);
  });

  it('ends a delivery as failed after four attempts and says so once', async () => {
    const target = await recipient((_, response) => response.writeHead(503).end('no'));
    const { webhooks, ended, failed } = engine();
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', { id: 1 });
    const delivery = await ended(id);
    expect(delivery).toMatchObject({
      status: 'failed',
      statusCode: 503,
      responseBody: 'no',
      error: 'http_503',
      attempts: 4,
      nextAttemptAt: null,
    });
    expect(delivery.completedAt).not.toBeNull();
    await webhooks.close();
    expect(target.received).toHaveLength(4);
    expect(failed).toEqual([
      {
        webhookId: id,
        deliveryId: delivery.deliveryId,
        event: 'user.created',
        attempts: 4,
        statusCode: 503,
        error: 'http_503',
      },
    ]);
    expect((await webhooks.get(id)).stats).toEqual({ total: 1, success: 0, failed: 1, pending: 0 });
  });

  it('ends a delivery without sending it when its webhook was deactivated meanwhile', async () => {
    const target = await recipient();
    const { webhooks, ended, failed } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.update(id, { isActive: false });
    await webhooks.start();
    expect(await ended(id)).toMatchObject({ status: 'failed', error: 'webhook_inactive', statusCode: 0 });
    expect(target.received).toEqual([]);
    await expect.poll(() => failed).toHaveLength(1);
  });

  it('keeps what the recipient answered last when the webhook is deactivated between two attempts', async () => {
    const target = await recipient((_, response) => response.writeHead(500).end('the reason'));
    const { webhooks, ended, failed } = engine({ retry: { delaysMs: [200] } });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await target.receivedCount(1);
    await webhooks.update(id, { isActive: false });
    const delivery = await ended(id);
    expect(delivery).toMatchObject({
      status: 'failed',
      error: 'webhook_inactive',
      statusCode: 500,
      responseBody: 'the reason',
      attempts: 2,
    });
    expect(delivery.attemptLog.map(({ attempt, error }) => [attempt, error])).toEqual([
      [1, 'http_500'],
      [2, 'webhook_inactive'],
    ]);
    await expect.poll(() => failed).toMatchObject([{ error: 'webhook_inactive', statusCode: 500 }]);
    expect(target.received).toHaveLength(1);
  });

  it('sends to the URL a webhook has at the time of the attempt', async () => {
    const old = await recipient((_, response) => response.writeHead(500).end());
    const target = await recipient();
    const { webhooks, ended } = engine({ retry: { delaysMs: [200] } });
    await webhooks.start();
    const { id } = await webhooks.create({ url: old.url });
    await webhooks.dispatch('user.created', {});
    await old.receivedCount(1);
    await webhooks.update(id, { url: target.url });
    expect(await ended(id)).toMatchObject({ status: 'success', attempts: 2 });
    expect(old.received).toHaveLength(1);
    expect(target.received).toHaveLength(1);
  });

  it('forgets the deliveries of a deleted webhook', async () => {
    const target = await recipient();
    const { webhooks, errors } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.delete(id);
    await webhooks.start();
    await webhooks.close();
    expect(target.received).toEqual([]);
    expect(errors).toEqual([]);
    await expect(webhooks.get(id)).rejects.toMatchObject({ code: 'webhook_not_found' });
  });

  it('sends a test event to the one webhook it is asked of, whatever its patterns', async () => {
    const target = await recipient();
    const { webhooks, ended } = engine();
    await webhooks.start();
    const base = target.url.replace('/hook', '');
    await webhooks.create({ url: `${base}/other` });
    const { id, secret } = await webhooks.create({ url: `${base}/tested`, events: ['order.created'] });
    const receipt = await webhooks.test(id);
    expect(receipt).toEqual({ deliveryId: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'pending' });
    await ended(id, receipt.deliveryId);
    expect(target.received).toHaveLength(1);
    const { headers, body, path } = target.received[0] ?? { headers: {}, body: '', path: '' };
    expect(path).toBe('/tested');
    const event = await verify({ secret, headers, body });
    expect(event).toMatchObject({
      type: 'webhook.test',
      data: { message: expect.any(String), webhook_id: id, timestamp: expect.any(String) },
    });
  });

  it('keeps to its number of attempts at once, and loses none of many', async () => {
    let open = 0;
    let most = 0;
    const target = await recipient((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(204).end();
      });
    });
    const { webhooks } = engine({ concurrency: 5 });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 300 }, (_, n) => webhooks.dispatch('user.created', { n })));
    await target.receivedCount(300);
    await webhooks.close();
    expect(most).toBeLessThanOrEqual(5);
    expect(new Set(target.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(300);
    expect((await webhooks.get(id)).stats).toEqual({ total: 300, success: 300, failed: 0, pending: 0 });
  });

  it('closes only when the attempts under way are recorded, and then refuses to go on', async () => {
    let answer = () => {};
    const target = await recipient((_, response) => {
      answer = () => response.writeHead(204).end();
    });
    const { webhooks } = engine();
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await target.receivedCount(1);
    const closed = webhooks.close();
    const late = webhooks.dispatch('user.created', {});
    await expect(late).rejects.toMatchObject({ code: 'closed' });
    expect((await webhooks.get(id)).stats.pending).toBe(1);
    answer();
    await closed;
    expect((await webhooks.get(id)).stats).toMatchObject({ success: 1, pending: 0 });
    await expect(webhooks.start()).rejects.toMatchObject({ code: 'closed' });
    await webhooks.close();
  });
});
