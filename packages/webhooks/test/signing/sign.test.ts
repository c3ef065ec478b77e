import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import { sign } from '../../src/signing/sign.ts';
import { BODY, CREATED, deliveryHeaders, ID, SECRET } from './signed-delivery.ts';

describe('sign', () => {
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

  inOneTest([
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

  inOneTest([
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
});
