import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateSecret } from '../../src/signing/secret.ts';
import { verify } from '../../src/signing/verify.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createTestEngine, type TestEngine } from '../engine/engine.ts';
import { type ReceivedCallback, type Recipient, startRecipient } from '../engine/recipient.ts';

const PEERS = [
  { name: 'standardwebhooks', Webhook: StandardWebhook },
  { name: 'svix', Webhook: SvixWebhook },
] as const;
const PAYLOAD = { id: 7, name: 'Zoë 李 👩‍💻', text: 'a\\b"c\n\u2028', nested: [{ a: null }] };

describe('a delivery over HTTP', () => {
  let recipient: Recipient;
  let engine: TestEngine;
  let secret: string;
  let previousSecret: string;
  let callbacks: readonly [first: ReceivedCallback, afterRotation: ReceivedCallback];

  beforeEach(async () => {
    recipient = await startRecipient();
    engine = createTestEngine(memoryStorage());
    await engine.webhooks.start();
    const webhook = await engine.webhooks.create({ url: recipient.url });
    await engine.webhooks.dispatch('order.created', PAYLOAD);
    await recipient.receivedCount(1);
    previousSecret = webhook.secret;
    secret = (await engine.webhooks.rotateSecret(webhook.id)).secret;
    await engine.webhooks.dispatch('order.created', PAYLOAD);
    await recipient.receivedCount(2);
    const [first, second] = recipient.received;
    if (first === undefined || second === undefined) throw new Error('unreachable');
    callbacks = [first, second];
  });
  afterEach(async () => {
    await engine.webhooks.close();
    await recipient.close();
  });

  /** What these packages take for headers. */
  const plain = ({ headers }: ReceivedCallback): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

  it.each(PEERS)('is verified by $name as it is, before, during and after a rotation', ({ Webhook }) => {
    const [first, second] = callbacks;
    const accepted = [
      [first, previousSecret],
      [second, previousSecret],
      [second, secret],
    ] as const;
    for (const [callback, key] of accepted) {
      const event = new Webhook(key).verify(callback.body, plain(callback));
      expect(event).toMatchObject({ type: 'order.created', data: PAYLOAD });
    }
    expect(() => new Webhook(secret).verify(first.body, plain(first))).toThrow();
    expect(() => new Webhook(secret).verify(`${second.body} `, plain(second))).toThrow();
    expect(() => new Webhook(generateSecret()).verify(second.body, plain(second))).toThrow();
  });

  it('is verified by our own verify, in both schemes and with either secret', async () => {
    const [, second] = callbacks;
    for (const scheme of ['standard', 'x-webhook'] as const) {
      for (const key of [secret, previousSecret]) {
        const event = await verify({ secret: key, headers: second.headers, body: second.body, scheme });
        expect(event).toMatchObject({ type: 'order.created', data: PAYLOAD });
      }
    }
  });
});

describe.each(PEERS)('what $name signs', ({ Webhook }) => {
  const body = JSON.stringify({
    type: 'order.created',
    timestamp: '2026-11-20T04:10:00.123Z',
    data: PAYLOAD,
  });
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

  it('is accepted by verify, and refused when it is changed', async () => {
    const secret = generateSecret();
    const signedAt = new Date();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, signedAt, body),
    };
    expect(await verify({ secret, headers, body })).toEqual({ id, isTest: false, ...JSON.parse(body) });
    await expect(verify({ secret, headers, body: body.replace('7', '8') })).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });
});
