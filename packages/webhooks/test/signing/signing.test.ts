import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createDeliveryHeaders, type DeliveryHeadersInput } from '../../src/signing/delivery-headers.ts';
import { generateSecret, sign, verify } from '../../src/signing/index.ts';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';
const BODY = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë"}}';
const ID = '0123456789abcdef0123456789abcdef';
const CREATED = 1_795_147_800;

function deliveryHeaders(input: Partial<DeliveryHeadersInput> = {}): Record<string, string> {
  return createDeliveryHeaders({
    secret: SECRET,
    deliveryId: ID,
    event: 'user.created',
    createdAtSeconds: CREATED,
    attemptAtSeconds: CREATED + 30,
    attempt: 2,
    body: BODY,
    standardHeaders: true,
    userAgent: 'acme-webhooks/0.1.0',
    ...input,
  });
}

describe('secret', () => {
  it('is whsec_ and the base64 of 24 random bytes', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
    }
    expect(new Set(secrets).size).toBe(100);
  });
});

describe('sign', () => {
  // printf '%s' "$ID.$CREATED.$BODY" | openssl dgst -sha256 -hmac "$SECRET"
  it('gives the value that openssl gives', async () => {
    const signature = await sign({ secret: SECRET, id: ID, timestamp: CREATED, body: BODY });
    expect(signature).toBe('5d05beb6789a8a1792a42636c04525bb68d46ff43f7ec20f737dfec0e289c478');
  });

  it('takes the timestamp as the text of the header, and the body as bytes', async () => {
    const expected = await sign({ secret: SECRET, id: ID, timestamp: CREATED, body: BODY });
    const body = new TextEncoder().encode(BODY);
    expect(await sign({ secret: SECRET, id: ID, timestamp: String(CREATED), body })).toBe(expected);
  });

  it('takes the body as an ArrayBuffer, as it is when the call is made', async () => {
    const expected = await sign({ secret: SECRET, id: ID, timestamp: CREATED, body: BODY });
    const body = new TextEncoder().encode(BODY);
    expect(await sign({ secret: SECRET, id: ID, timestamp: CREATED, body: body.buffer })).toBe(expected);
    const during = sign({ secret: SECRET, id: ID, timestamp: CREATED, body });
    body.fill(0);
    expect(await during).toBe(expected);
  });

  it.each([
    ['an id with a dot', { id: 'x.1' }],
    ['an empty id', { id: '' }],
    ['an id that is too long', { id: 'x'.repeat(256) }],
    ['no id', { id: JSON.parse('null') }],
    ['a timestamp that is no number', { timestamp: Number.NaN }],
    ['a negative timestamp', { timestamp: -1 }],
    ['a fraction of a second', { timestamp: 1.5 }],
    ['a timestamp in milliseconds since longer than there are', { timestamp: 1e13 }],
    ['a date', { timestamp: '2026-11-20T04:10:00Z' }],
    ['a body of null', { body: JSON.parse('null') }],
    ['a parsed body', { body: JSON.parse(BODY) }],
  ])('refuses %s, which no callback has', async (_what, wrong) => {
    const input = { secret: SECRET, id: ID, timestamp: CREATED, body: BODY };
    await expect(sign({ ...input, ...wrong })).rejects.toThrow(TypeError);
    await expect(sign({ ...input, ...wrong })).rejects.toThrow(/^(id|timestamp|body) must be/);
  });

  it('agrees with the engine and with node:crypto on any body', async () => {
    const property = fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()),
      fc.nat(),
      async (body, timestamp) => {
        const secret = generateSecret();
        const reference = createHmac('sha256', secret)
          .update(`${ID}.${timestamp}.`)
          .update(body)
          .digest('hex');
        expect(await sign({ secret, id: ID, timestamp, body })).toBe(reference);
        const headers = deliveryHeaders({ secret, createdAtSeconds: timestamp, body });
        expect(headers['X-Webhook-Signature']).toBe(reference);
      },
    );
    await fc.assert(property, { seed: 20_261_120, numRuns: 100 });
  });

  it.each([
    '',
    'whsec_',
    'secret',
    'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
    'WHSEC_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
    `${SECRET}\n`,
    ` ${SECRET}`,
    'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFR==',
    'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXG',
    'whsec_-_ECAwQFBgcICQoLDA0ODxAREhMUFRYX',
    `whsec_${randomBytes(65).toString('base64')}`,
  ])('refuses the secret %j without repeating it', async (secret) => {
    const signing = sign({ secret, id: ID, timestamp: CREATED, body: BODY });
    const error = await signing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    if (secret.length > 6) expect(String(error)).not.toContain(secret.slice(6).trim());
    expect(() => deliveryHeaders({ secret })).toThrow(TypeError);
    expect(() => deliveryHeaders({ previousSecret: secret })).toThrow(TypeError);
  });

  it('refuses the secret undefined', async () => {
    const secret = JSON.parse('{}').secret;
    await expect(sign({ secret, id: ID, timestamp: CREATED, body: BODY })).rejects.toThrow(TypeError);
    expect(() => deliveryHeaders({ secret })).toThrow(TypeError);
  });
});

describe('headers of a delivery', () => {
  // The second value: printf '%s' "$ID.$((CREATED + 30)).$BODY" | openssl dgst -sha256 -mac HMAC \
  //   -macopt hexkey:000102030405060708090a0b0c0d0e0f1011121314151617 -binary | base64
  it('are the two header sets, the content type and the user agent', () => {
    expect(deliveryHeaders()).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'acme-webhooks/0.1.0',
      'X-Webhook-ID': ID,
      'X-Webhook-Timestamp': '1795147800',
      'X-Webhook-Signature': '5d05beb6789a8a1792a42636c04525bb68d46ff43f7ec20f737dfec0e289c478',
      'X-Webhook-Event': 'user.created',
      'X-Webhook-Attempt': '2',
      'webhook-id': ID,
      'webhook-timestamp': '1795147830',
      'webhook-signature': 'v1,bEMHgj6Ig85eI9+KaOMMo7ebcjXyoEF7BD28OsFNKF0=',
    });
  });

  it('are without the second set where it is turned off', () => {
    const names = Object.keys(deliveryHeaders({ standardHeaders: false, previousSecret: generateSecret() }));
    expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([]);
    expect(names).toContain('X-Webhook-Signature-Previous');
  });

  it('keep the first set on every attempt', () => {
    const first = deliveryHeaders({ attempt: 1, attemptAtSeconds: CREATED });
    const fourth = deliveryHeaders({ attempt: 4, attemptAtSeconds: CREATED + 4000 });
    for (const name of ['X-Webhook-ID', 'X-Webhook-Timestamp', 'X-Webhook-Signature', 'X-Webhook-Event']) {
      expect(fourth[name]).toBe(first[name]);
    }
    expect(fourth['webhook-signature']).not.toBe(first['webhook-signature']);
  });

  it('carry both signatures while a secret is being rotated', () => {
    const previousSecret = generateSecret();
    const rotating = deliveryHeaders({ previousSecret });
    const before = deliveryHeaders({ secret: previousSecret });
    expect(rotating['X-Webhook-Signature']).toBe(deliveryHeaders()['X-Webhook-Signature']);
    expect(rotating['X-Webhook-Signature-Previous']).toBe(before['X-Webhook-Signature']);
    const both = `${deliveryHeaders()['webhook-signature']} ${before['webhook-signature']}`;
    expect(rotating['webhook-signature']).toBe(both);
  });
});

describe('together with the standardwebhooks package', () => {
  const now = Math.floor(Date.now() / 1000);

  it('that package verifies our headers unmodified, from either secret of a rotation', () => {
    const previousSecret = generateSecret();
    const headers = deliveryHeaders({ attemptAtSeconds: now, previousSecret });
    for (const secret of [SECRET, previousSecret]) {
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    }
    expect(() => new Webhook(generateSecret()).verify(BODY, headers)).toThrow();
    expect(() => new Webhook(SECRET).verify(`${BODY} `, headers)).toThrow();
  });

  it('our verify accepts what that package signs', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': String(now),
      'webhook-signature': new Webhook(SECRET).sign(
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        new Date(now * 1000),
        BODY,
      ),
    };
    const event = await verify({ secret: SECRET, headers, body: BODY });
    expect(event).toEqual({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', ...JSON.parse(BODY) });
  });
});
