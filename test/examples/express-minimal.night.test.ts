import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

describe('the example express-minimal', () => {
  let example: StartedExample;
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await createTestReceiver();
    example = await startExample('express-minimal');
  }, INSTALL_MS);
  afterAll(async () => {
    await receiver?.close();
    await example?.remove();
  });

  it('guards what it has, delivers what it dispatches, and ends', async () => {
    const { send } = example;
    expect((await send('POST', '/api/admin/orders')).status).toBe(401);
    expect((await send('GET', '/api/admin/webhooks')).status).toBe(401);
    const cookie = await example.logIn();
    const body = { url: receiver.url, events: ['order.*'] };
    const created = await send('POST', '/api/admin/webhooks', { cookie, body });
    const { secret }: { secret: string } = JSON.parse(await created.text());
    expect((await send('POST', '/api/admin/orders', { cookie })).status).toBe(201);
    const [request] = await receiver.received(1);
    expect([request?.event, request?.data]).toEqual(['order.created', { id: 7, by: '1' }]);
    await request?.verify(secret);
    expect((await send('GET', '/admin/webhooks')).status).toBe(200);
    await example.end();
  });
});
