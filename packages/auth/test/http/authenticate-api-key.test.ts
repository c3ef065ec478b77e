import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import type { ApiKeyValidator } from '../../src/api-keys/api-key-validator.ts';
import { createApiKeys } from '../../src/api-keys/api-keys.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { createAuth } from '../../src/auth.ts';
import { requireApiKey, requireAuthOrApiKey } from '../../src/fetch/guards.ts';
import {
  authenticateApiKey,
  authenticateAuthOrApiKey,
  type Claims,
  ErrInvalidToken,
  ErrTokenExpired,
} from '../../src/index.ts';
import { START } from '../fake-clock.ts';
import { cookies, createGuardHarness, EXPIRED } from '../guards/guard-harness.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';

const { key, hash } = generateApiKey('acme');
const validator: ApiKeyValidator = (asked) => (asked === hash ? { uid: 'key', scopes: ['read'] } : null);
const withKey = (text: string) => ({ method: 'POST', headers: { authorization: `Bearer ${text}` } });

describe('authenticateApiKey', () => {
  inOneTest<[string, (headers: Record<string, string>) => object]>([
    ['a Web Request', (headers) => new Request('http://localhost/', { method: 'POST', headers })],
    ['a record of headers', (headers) => ({ headers })],
  ])('gives the claims of %s, and says that a key vouches for them', async (_, make) => {
    const request = make({ Authorization: `Bearer ${key}` }) as Request;
    const claims = await authenticateApiKey(request, validator);
    expect(claims).toMatchObject({ uid: 'key', scopes: ['read'], credential: 'api_key' });
  });

  it('tells a missing, an unknown, a malformed and an expired key apart', async () => {
    const refusal = (request: { headers: Record<string, string> }, asked: ApiKeyValidator = validator) =>
      expect(authenticateApiKey(request, asked)).rejects;
    await refusal({ headers: {} }).toMatchObject({ code: 'token_missing', status: 401 });
    await refusal(withKey(generateApiKey('acme').key)).toMatchObject({ code: 'token_invalid', status: 401 });
    await refusal(withKey(`${key.slice(0, -1)}_`)).toMatchObject({ code: 'token_invalid' });
    const expired = () => ({ uid: 'key', scopes: [], expiresAt: START });
    await refusal(withKey(key), expired).toMatchObject({ code: 'token_expired', status: 401 });
  });

  inOneTest([new ErrInvalidToken('revoked'), new ErrTokenExpired()])(
    'hands on %s of the validator',
    async (error) => {
      await expect(authenticateApiKey(withKey(key), () => Promise.reject(error))).rejects.toBe(error);
    },
  );

  inOneTest<[string, unknown]>([
    ['an error', new Error('connection refused')],
    ['nothing', undefined],
    ['an error that names a status of its own', Object.assign(new Error('x'), { status: 401, code: 'x' })],
  ])('makes 503 of %s that the validator throws, with the cause', async (_, cause) => {
    const failed = authenticateApiKey(withKey(key), () => Promise.reject(cause));
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    const error = await failed.catch((caught: unknown) => caught);
    expect((error as Error).cause).toBe(cause);
    expect(error).toHaveProperty('message', expect.stringContaining('ErrInvalidToken'));
  });

  it('refuses what is no validator, with or without a key', async () => {
    for (const request of [withKey(key), { headers: {} }]) {
      await expect(authenticateApiKey(request, undefined as never)).rejects.toThrow(TypeError);
    }
  });
});

describe('authenticateAuthOrApiKey', () => {
  const { auth } = createGuardHarness();

  inOneTest<[string, Record<string, string>, Partial<Claims> | { code: string }]>([
    ['the cookie alone', cookies(forgeToken()), { uid: '42', credential: undefined }],
    ['the key alone', withKey(key).headers, { uid: 'key', credential: 'api_key' }],
    ['the cookie before the key', { ...cookies(forgeToken()), ...withKey(key).headers }, { uid: '42' }],
    ['the key behind an expired cookie', { ...cookies(EXPIRED), ...withKey(key).headers }, { uid: 'key' }],
    ['an expired cookie', cookies(EXPIRED), { code: 'token_expired' }],
    ['nothing', {}, { code: 'token_missing' }],
    [
      'an unknown key behind a cookie of nothing',
      { ...cookies('x'), ...withKey(generateApiKey('acme').key).headers },
      { code: 'token_invalid' },
    ],
  ])('judges %s', async (_, headers, outcome) => {
    const judged = authenticateAuthOrApiKey({ method: 'POST', headers }, auth, validator);
    expect(await judged.catch((error: unknown) => error)).toMatchObject(outcome);
  });

  it('refuses a cookie that a page of another site sent along, and takes the key it has', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', ...cookies(forgeToken()) };
    const ask = (headers: Record<string, string>) =>
      authenticateAuthOrApiKey({ method: 'POST', headers }, auth, validator);
    await expect(ask(foreign)).rejects.toMatchObject({ code: 'cross_site', status: 403 });
    expect((await ask({ ...foreign, ...withKey(key).headers })).uid).toBe('key');
  });

  it("judges a key's expiry by the clock of the instance", async () => {
    const ask = (expiresAt: number) =>
      authenticateAuthOrApiKey(withKey(key), auth, () => ({ uid: 'key', scopes: [], expiresAt }));
    expect((await ask(START + 1)).uid).toBe('key');
    await expect(ask(START)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('refuses what is no instance, and what is no validator', async () => {
    const noValidator = authenticateAuthOrApiKey(withKey(key), auth, null as never);
    await expect(noValidator).rejects.toThrow('validator must be a function');
    const noInstance = authenticateAuthOrApiKey(withKey(key), {} as never, validator);
    await expect(noInstance).rejects.toThrow('auth must be an instance');
  });

  it('names the option that is missing where no key of the validator could pass', async () => {
    const store = memoryApiKeyStore();
    const other = createAuth({ signingKey: KEY, cookiePath: '/api' });
    const missing = /^validator must be of API keys made with the option auth of this instance/;
    for (const options of [{ prefix: 'acme' }, { instance: 'acme' }, { auth: other }]) {
      const { validator: never } = createApiKeys({ store, ...options });
      expect(() => requireAuthOrApiKey(auth, never)).toThrow(TypeError);
      expect(() => requireAuthOrApiKey(auth, never)).toThrow(missing);
      expect(() => requireApiKey(never, { auth })).toThrow(missing);
      await expect(authenticateAuthOrApiKey(withKey(key), auth, never)).rejects.toThrow(missing);
      await expect(authenticateApiKey(withKey(key), never, { auth })).rejects.toThrow(missing);
      expect(requireApiKey(never)).toBeTypeOf('function');
    }
    for (const options of [{ auth }, { instance: auth.options.audience || '' }]) {
      const { validator: own } = createApiKeys({ store, ...options });
      expect(requireAuthOrApiKey(auth, own)).toBeTypeOf('function');
    }
  });
});
