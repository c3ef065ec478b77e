import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import type { ApiKeyValidator } from '../../src/api-keys/api-key-validator.ts';
import { createApiKeys } from '../../src/api-keys/api-keys.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { createAuth } from '../../src/auth.ts';
import { requireApiKey, requireAuthOrApiKey } from '../../src/fetch/guards.ts';
import { authenticateApiKey, authenticateAuthOrApiKey } from '../../src/index.ts';
import { START } from '../fake-clock.ts';
import { createGuardHarness } from '../guards/guard-harness.ts';
import { KEY } from '../tokens/forge-token.ts';

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

  it('refuses what is no validator, with or without a key', async () => {
    for (const request of [withKey(key), { headers: {} }]) {
      await expect(authenticateApiKey(request, undefined as never)).rejects.toThrow(TypeError);
    }
  });
});

describe('authenticateAuthOrApiKey', () => {
  const { auth } = createGuardHarness();

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
