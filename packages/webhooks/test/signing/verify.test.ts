import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createDeliveryHeaders } from '../../src/signing/delivery-headers.ts';
import { generateSecret, isTestDelivery, verify } from '../../src/signing/index.ts';
import {
  ATTEMPTED,
  atAttempt,
  BODY,
  CREATED,
  call,
  EVENT,
  ID,
  received,
  refusal,
  SECRET,
} from './received-callback.ts';
import { deliveryHeaders } from './signed-delivery.ts';

const SCHEMES = ['standard', 'x-webhook'] as const;

/** The headers that each scheme reads: what is signed first, then the signature. */
const NAMES = {
  standard: { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
  'x-webhook': { id: 'X-Webhook-ID', timestamp: 'X-Webhook-Timestamp', signature: 'X-Webhook-Signature' },
};

describe.each(SCHEMES)('verify with the scheme %s', (scheme) => {
  const names = NAMES[scheme];

  it('gives the event that was signed', async () => {
    expect(await call({ scheme })).toEqual(EVENT);
  });

  it('takes the body as bytes', async () => {
    expect(await call({ scheme, body: new TextEncoder().encode(BODY) })).toEqual(EVENT);
    expect(await call({ scheme, body: Buffer.from(BODY) })).toEqual(EVENT);
    expect(await call({ scheme, body: Buffer.from(`x${BODY}`).subarray(1) })).toEqual(EVENT);
    expect(await call({ scheme, body: await new Response(BODY).arrayBuffer() })).toEqual(EVENT);
  });

  it('gives what was signed, whatever the caller does to its bytes meanwhile', async () => {
    const forged = Buffer.from(BODY.replace('user.created', 'user.deleted'));
    const reused = Buffer.from(BODY);
    const during = call({ scheme, body: reused });
    forged.copy(reused);
    expect(await during).toEqual(EVENT);
    const bytes = new Uint8Array(Buffer.from(BODY));
    const now = (): number => {
      // Asked for after the signature was checked, and before the event is read.
      bytes.set(forged);
      return ATTEMPTED * 1000;
    };
    expect(await call({ scheme, body: bytes, now })).toEqual(EVENT);
    expect(Buffer.from(bytes)).toEqual(forged);
    expect(await refusal({ scheme, body: bytes })).toBe('signature_mismatch');
  });

  it('takes bytes that were made in another realm', async () => {
    const body: Uint8Array = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(BODY)] });
    expect(body).not.toBeInstanceOf(Uint8Array);
    expect(await call({ scheme, body })).toEqual(EVENT);
    const { buffer }: { buffer: ArrayBuffer } = body as never;
    expect(await call({ scheme, body: buffer })).toEqual(EVENT);
  });

  it('takes headers in any shape and case', async () => {
    const entries = Object.entries(received());
    const lower = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    const upper = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const headers of [lower, upper, new Headers(entries), Object.assign(Object.create(null), lower)]) {
      expect(await call({ scheme, headers })).toEqual(EVENT);
    }
  });

  it('accepts one of several secrets', async () => {
    const secrets = [generateSecret(), SECRET, generateSecret()];
    const input = { headers: received(), body: BODY, now: atAttempt, scheme };
    expect(await verify({ ...input, secrets })).toEqual(EVENT);
    await expect(verify({ ...input, secrets: [generateSecret()] })).rejects.toThrow(/No signature fits/);
  });

  inOneTest(Object.values(names))('refuses a request without %s', async (name) => {
    const { [name]: _, ...headers } = received();
    expect(await refusal({ scheme, headers })).toBe('signature_missing');
    expect(await refusal({ scheme, headers: { ...headers, [name]: '' } })).toBe('signature_missing');
  });

  inOneTest(Object.values(names))('refuses a request with two of %s', async (name) => {
    const value = received()[name] ?? '';
    expect(await refusal({ scheme, headers: { ...received(), [name]: [value, value] as never } })).toBe(
      'signature_malformed',
    );
    const spelled = {
      ...received(),
      [name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()]: value,
    };
    expect(await refusal({ scheme, headers: spelled })).toBe('signature_malformed');
    const both = new Headers(Object.entries(received()));
    both.append(name, value);
    expect(await refusal({ scheme, headers: both })).toBe('signature_malformed');
  });

  inOneTest([
    '',
    '+1795147800',
    '01795147800',
    '1795147800.0',
    '1795147800 ',
    '0x6b',
    '1e9',
    '-1',
    'NaN',
    '9'.repeat(13),
    '1795147800,1795147800',
  ])('refuses the timestamp %j', async (timestamp) => {
    const code = await refusal({ scheme, headers: received(BODY, { [names.timestamp]: timestamp }) });
    expect(code).toBe(timestamp === '' ? 'signature_missing' : 'signature_malformed');
  });

  inOneTest(['a.b', 'a b', 'a,b', 'a'.repeat(256), 'é'])('refuses the id %j', async (id) => {
    expect(await refusal({ scheme, headers: received(BODY, { [names.id]: id }) })).toBe(
      'signature_malformed',
    );
  });

  it('refuses a signature of five million characters as malformed', async () => {
    for (const huge of ['a', '0', 'A', 'v1,', 'v1,A ', ' '].map((part) => part.repeat(5_000_000))) {
      for (const signature of [huge, `v1,${huge}`]) {
        const headers = received(BODY, { [names.signature]: signature });
        expect(await refusal({ scheme, headers })).toBe('signature_malformed');
      }
    }
  });

  it('refuses a changed body, id or timestamp', async () => {
    expect(await refusal({ scheme, body: BODY.replace('Zoë', 'Zoe') })).toBe('signature_mismatch');
    expect(await refusal({ scheme, body: ` ${BODY}` })).toBe('signature_mismatch');
    expect(await refusal({ scheme, headers: received(BODY, { [names.id]: 'f'.repeat(32) }) })).toBe(
      'signature_mismatch',
    );
    const other = String(ATTEMPTED - 1);
    expect(await refusal({ scheme, headers: received(BODY, { [names.timestamp]: other }) })).toBe(
      'signature_mismatch',
    );
  });

  it('refuses another secret', async () => {
    expect(await refusal({ scheme, secret: generateSecret() })).toBe('signature_mismatch');
  });

  it('refuses a signature with any bit flipped', async () => {
    const signature = received()[names.signature] ?? '';
    for (let index = scheme === 'standard' ? 3 : 0; index < 40; index += 1) {
      const flipped = signature[index] === 'a' ? 'b' : 'a';
      const forged = signature.slice(0, index) + flipped + signature.slice(index + 1);
      expect(await refusal({ scheme, headers: received(BODY, { [names.signature]: forged }) })).toBe(
        'signature_mismatch',
      );
    }
  });

  it("never falls back to the other scheme's headers", async () => {
    const other = scheme === 'standard' ? NAMES['x-webhook'] : NAMES.standard;
    const headers = received();
    const onlyOther = Object.fromEntries(Object.values(other).map((name) => [name, headers[name]]));
    expect(await refusal({ scheme, headers: { ...onlyOther, 'X-Webhook-Event': 'user.created' } })).toBe(
      'signature_missing',
    );
    const forged = received(BODY, { [names.signature]: received(`${BODY} `)[names.signature] ?? '' });
    expect(await refusal({ scheme, headers: forged })).toBe('signature_mismatch');
  });

  inOneTest([
    '',
    'null',
    '[]',
    '42',
    '"text"',
    '{',
    '{}',
    BODY.replace('"data":{"name":"Zoë"}', '"data":[]'),
    BODY.replace('"user.created"', '1'),
    `\ufeff${BODY}`,
  ])('refuses the genuine body %j, which is no event', async (body) => {
    expect(await refusal({ scheme, body, headers: received(body) })).toBe('body_malformed');
    expect(await refusal({ scheme, body: Buffer.from(body), headers: received(body) })).toBe(
      'body_malformed',
    );
  });

  it('refuses genuine bytes that are no UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"type":"user.created","timestamp":"t","data":{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}'),
    ]);
    const headers = createDeliveryHeaders({
      secret: SECRET,
      deliveryId: ID,
      event: 'user.created',
      createdAtSeconds: CREATED,
      attemptAtSeconds: ATTEMPTED,
      attempt: 1,
      body,
      standardHeaders: true,
      userAgent: 'test',
    });
    expect(await refusal({ scheme, body, headers })).toBe('body_malformed');
  });

  it('is not confused by names of the prototype', async () => {
    const body = '{"type":"user.created","timestamp":"t","data":{"a":1},"__proto__":{"data":{"a":2}}}';
    const event = await call({ scheme, body, headers: received(body) });
    expect(event).toEqual({ id: ID, isTest: false, type: 'user.created', timestamp: 't', data: { a: 1 } });
    expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
  });
});

describe('the signature of the secret before', () => {
  inOneTest(['', null, undefined])('is not there when its header is %j', async (previous) => {
    const headers = { ...received(), 'x-webhook-signature-previous': previous as never };
    expect(await call({ scheme: 'x-webhook', headers })).toEqual(EVENT);
  });

  inOneTest(['a', 'z'.repeat(64)])('is malformed when its header is %j', async (previous) => {
    const headers = received(BODY, { 'X-Webhook-Signature-Previous': previous });
    expect(await refusal({ scheme: 'x-webhook', headers })).toBe('signature_malformed');
  });
});

describe('freshness', () => {
  const at = (seconds: number) => (): number => seconds * 1000;

  it('is 300 s around the attempt by default with the scheme standard', async () => {
    expect(await call({ now: at(ATTEMPTED + 300) })).toEqual(EVENT);
    expect(await call({ now: at(ATTEMPTED - 300) })).toEqual(EVENT);
    expect(await refusal({ now: at(ATTEMPTED + 301) })).toBe('signature_stale');
    expect(await refusal({ now: at(ATTEMPTED - 301) })).toBe('signature_stale');
  });

  it('is not asked of the scheme x-webhook by default', async () => {
    const scheme = 'x-webhook';
    expect(await call({ scheme, now: at(CREATED + 90_000) })).toEqual(EVENT);
    expect(await call({ scheme, now: at(CREATED + 60), toleranceSeconds: 60 })).toEqual(EVENT);
    expect(await refusal({ scheme, now: at(CREATED + 61), toleranceSeconds: 60 })).toBe('signature_stale');
  });

  it('can be set', async () => {
    expect(await call({ now: at(ATTEMPTED + 10), toleranceSeconds: 10 })).toEqual(EVENT);
    expect(await refusal({ now: at(ATTEMPTED + 11), toleranceSeconds: 10 })).toBe('signature_stale');
    expect(await refusal({ now: at(ATTEMPTED + 1), toleranceSeconds: 0 })).toBe('signature_stale');
  });

  it('is judged after the signature, so that "stale" is never said of a forgery', async () => {
    expect(await refusal({ secret: generateSecret(), now: at(ATTEMPTED + 999) })).toBe('signature_mismatch');
  });

  it('is not given where the clock gives no number', async () => {
    expect(await refusal({ now: () => Number.NaN })).toBe('signature_stale');
  });

  it('uses the clock of the machine by default', async () => {
    const now = Math.floor(Date.now() / 1000);
    const headers = createDeliveryHeaders({
      secret: SECRET,
      deliveryId: ID,
      event: 'user.created',
      createdAtSeconds: now,
      attemptAtSeconds: now,
      attempt: 1,
      body: BODY,
      standardHeaders: true,
      userAgent: 'test',
    });
    expect(await verify({ secret: SECRET, headers, body: BODY })).toEqual(EVENT);
    await expect(verify({ secret: SECRET, headers: received(), body: BODY })).rejects.toThrow(/300 s/);
  });
});

describe('a request that is none of ours', () => {
  inOneTest(SCHEMES)('is refused without a body, as Express 5 and 4 give one: %s', async (scheme) => {
    for (const body of [undefined, JSON.parse('null'), JSON.parse('{}')]) {
      expect(await refusal({ scheme, body })).toBe('signature_mismatch');
      expect(await refusal({ scheme, body, headers: {} })).toBe('signature_missing');
    }
  });

  it('is told which scheme its headers are of', async () => {
    const own = Object.entries(received()).filter(([name]) => !name.toLowerCase().startsWith('webhook-'));
    const headers = Object.fromEntries(own);
    expect(await refusal({ headers })).toBe('signature_missing');
    await expect(call({ headers })).rejects.toThrow("scheme: 'x-webhook'");
    await expect(call({ headers: {} })).rejects.not.toThrow('x-webhook');
    expect(await call({ headers, scheme: 'x-webhook' })).toEqual(EVENT);
  });
});

describe('a wrong call', () => {
  inOneTest([
    ['a parsed body', { body: JSON.parse(BODY) }],
    ['no secret', { secret: JSON.parse('{}').secret }],
    ['an empty secret', { secret: '' }],
    ['both secret and secrets', { secrets: [SECRET] }],
    ['an unknown scheme', { scheme: JSON.parse('"hmac"') }],
    ['a scheme from the prototype', { scheme: JSON.parse('"constructor"') }],
    ['a negative tolerance', { toleranceSeconds: -1 }],
    ['a tolerance without end', { toleranceSeconds: Number.POSITIVE_INFINITY }],
    ['no headers', { headers: JSON.parse('null') }],
    ['headers in pairs', { headers: Object.entries(received()) as never }],
    [
      'headers in a flat list, as rawHeaders has them',
      { headers: Object.entries(received()).flat() as never },
    ],
  ])('is a TypeError: %s', async (_what, input) => {
    await expect(call(input)).rejects.toThrow(TypeError);
  });

  it('is a TypeError: no or too many secrets, or no list of them', async () => {
    const input = { headers: received(), body: BODY };
    for (const secrets of [new Set([SECRET]), new Set(), SECRET, { length: 1, 0: SECRET }, null]) {
      await expect(verify({ ...input, secrets: secrets as never })).rejects.toThrow(
        /^secrets must be an array/,
      );
    }
    await expect(verify({ ...input, secrets: [] })).rejects.toThrow(TypeError);
    await expect(verify({ ...input, secrets: Array.from({ length: 9 }, () => SECRET) })).rejects.toThrow(
      TypeError,
    );
  });

  it('and a refusal never repeat the secret or the body', async () => {
    for (const input of [{ body: `${BODY} ` }, { secret: `${SECRET} ` }, { headers: {} }]) {
      const message = await call(input).then(String, String);
      expect(message).not.toContain(SECRET.slice(6));
      expect(message).not.toContain('Zoë');
    }
  });
});

inOneTest([
  ['a test, whose mark was taken away', '9', false],
  ['an event that happened, which was given the mark', '8', true],
])('tells by the signed id: %s', async (_, variant, isTest) => {
  const deliveryId = `0198c0de5a1f7c3e${variant}d526b1f0e8a4c77`;
  const headers = deliveryHeaders({ deliveryId, isTest, body: BODY, secret: SECRET });
  const event = await verify({ headers, secret: SECRET, body: BODY, toleranceSeconds: 10 ** 9 });
  expect(event.id).toBe(deliveryId);
  expect([event.isTest, isTestDelivery(event.id)]).toEqual([variant === '9', variant === '9']);
});
