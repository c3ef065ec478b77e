import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REDIS_URL, redisSkipped, uniqueName } from '../services/servers.ts';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

const skipped = await redisSkipped();

describe.skipIf(skipped !== undefined)('the example hono-redis', () => {
  const prefix = uniqueName('example');
  let example: StartedExample;
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await createTestReceiver();
    example = await startExample('hono-redis', { REDIS_URL, QUEUE_PREFIX: prefix });
  }, INSTALL_MS);
  afterAll(async () => {
    await receiver?.close();
    await example?.remove();
    const redis = new Redis(REDIS_URL);
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.del(keys);
    await redis.quit();
  });

  it('admits clients by their keys, delivers through the queue, and ends', async () => {
    const { send } = example;
    const [, key] = /API key of this start: (demo_\w+)/.exec(example.output()) ?? [];
    const headers = { authorization: `Bearer ${key}` };
    const stranger = { authorization: `Bearer ${key?.replace(/.$/, '_')}` };
    expect((await send('POST', '/api/orders')).status).toBe(401);
    expect((await send('POST', '/api/orders', { headers: stranger })).status).toBe(401);
    expect((await send('GET', '/api/admin/webhooks')).status).toBe(401);
    const body = { url: receiver.url, events: ['order.*'] };
    const created = await send('POST', '/api/admin/webhooks', { headers, body });
    expect(created.status).toBe(201);
    const { secret }: { secret: string } = JSON.parse(await created.text());
    expect((await send('POST', '/api/orders', { headers })).status).toBe(201);
    const [request] = await receiver.received(1);
    expect([request?.event, request?.data]).toEqual(['order.created', { id: 7, by: 'shop' }]);
    await request?.verify(secret);
    await example.end();
  });
});
