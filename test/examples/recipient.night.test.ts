import { generateSecret } from '@acme/webhooks/signing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

describe('the example recipient', () => {
  const secret = generateSecret();
  let example: StartedExample;
  beforeAll(async () => {
    example = await startExample('recipient', { WEBHOOK_SECRET: secret });
  }, INSTALL_MS);
  afterAll(() => example?.remove());

  it.each(['/signing', '/standardwebhooks'])(
    'takes a genuine call once, and no forged one: %s',
    async (path) => {
      const id = `of${path.replace('/', '-')}`;
      const now = new Date();
      const body = JSON.stringify({ type: 'order.created', timestamp: now.toISOString(), data: { id: 7 } });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      };
      const post = (text: string) => fetch(example.url + path, { method: 'POST', headers, body: text });
      expect((await post(body.replace('"id":7', '"id":8'))).status).toBe(401);
      expect((await post(body)).status).toBe(204);
      expect((await post(body)).status).toBe(204);
      await expect.poll(example.output).toContain(`${path} order.created ${id} again`);
      expect(example.output().split(`${path} order.created ${id} {"id":7}`)).toHaveLength(2);
      expect(example.output()).toContain(`${path} refused`);
    },
  );

  it('ends', () => example.end());
});
