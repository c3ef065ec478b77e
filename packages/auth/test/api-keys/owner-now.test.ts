import { describe, expect, test } from 'vitest';
import { hashApiKey } from '../../src/api-keys/api-key.ts';
import { type ApiKeys, createApiKeys } from '../../src/api-keys/api-keys.ts';
import type { ApiKeysOptions } from '../../src/api-keys/api-keys-options.ts';
import { memoryApiKeyStore } from '../../src/api-keys/memory-api-key-store.ts';
import { Claims } from '../../src/claims.ts';
import { sessionHost } from '../sessions/session-host.ts';

/** A user with the scope `admin`, logged in, and the claims of an access token that lives on. */
async function setUp(options: Partial<ApiKeysOptions> = {}) {
  const host = sessionHost();
  const { auth, sessions, users, clock } = host;
  const store = memoryApiKeyStore();
  const apiKeys = createApiKeys({ store, auth, loadUser: sessions.loadUser, ...options });
  const { accessToken } = await sessions.loginAs('7');
  const claims = await auth.validateAccessToken(accessToken);
  const scopeOf = async (keys: ApiKeys, key: string) => await keys.validator(hashApiKey(key));
  return { auth, sessions, users, clock, store, apiKeys, claims, scopeOf };
}

const ADMIN_KEY = { name: 'x', scopes: ['admin'] };

describe('the owner of a new key', () => {
  test('has the scopes of now, although the token and its session still live', async () => {
    const { apiKeys, users, claims } = await setUp();
    users.set('7', { scopes: [] });
    await apiKeys.revokeAllOf('7');
    await expect(apiKeys.create(claims, ADMIN_KEY)).rejects.toMatchObject({
      code: 'insufficient_scope',
      scope: 'admin',
    });
    expect(await apiKeys.list(claims)).toEqual([]);
    expect((await apiKeys.create(claims, { name: 'x' })).scopes).toEqual([]);
  });

  test('is nobody once disabled, whatever process the session was ended in', async () => {
    const { apiKeys, users, claims } = await setUp();
    users.delete('7');
    await expect(apiKeys.create(claims, { name: 'x' })).rejects.toMatchObject({
      code: 'token_invalid',
      reason: 'revoked',
      status: 401,
    });
    expect(await apiKeys.list(claims)).toEqual([]);
  });

  test('is not taken from a session where nothing says what its user may do now', async () => {
    const { apiKeys, claims } = await setUp({ loadUser: undefined });
    await expect(apiKeys.create(claims, { name: 'x' })).rejects.toThrow(TypeError);
    await expect(apiKeys.create(claims, { name: 'x' })).rejects.toThrow('loadUser');
    expect(await apiKeys.list(claims)).toEqual([]);
  });

  test('is who the host says, for claims of its own', async () => {
    const { apiKeys } = await setUp({ loadUser: undefined });
    const service = new Claims({ uid: 'nightly', scopes: ['admin'] });
    expect(await apiKeys.create(service, ADMIN_KEY)).toMatchObject({ uid: 'nightly', scopes: ['admin'] });
  });
});
