import { describe, expect } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, caller, engineOn, HOOK_URL } from './admin-harness.ts';

describe('a request from another site', () => {
  const ours = 'http://admin.example.com';
  const cookie = 'access_token=x';

  inOneTest<[Record<string, string>, boolean]>([
    [{ cookie }, true],
    [{ cookie, 'sec-fetch-site': 'same-origin' }, true],
    [{ cookie, 'sec-fetch-site': 'none' }, true],
    [{ cookie, 'sec-fetch-site': 'same-site' }, false],
    [{ cookie, 'sec-fetch-site': 'cross-site' }, false],
    [{ cookie, 'sec-fetch-site': '' }, false],
    [{ cookie, 'sec-fetch-site': 'Same-Origin' }, false],
    [{ cookie, 'sec-fetch-site': 'same-origin, cross-site' }, false],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: ours }, false],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: 'https://trusted.example.org' }, true],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: 'https://trusted.example.org.evil.example' }, false],
    [{ cookie, origin: ours }, true],
    [{ cookie, origin: 'https://admin.example.com' }, true],
    [{ cookie, origin: 'https://admin.example.com:8443' }, false],
    [{ cookie, origin: 'https://evil.example' }, false],
    [{ cookie, origin: 'null' }, false],
    [{ cookie, origin: '' }, false],
    [{ cookie, origin: 'https://proxy.example', host: 'proxy.example' }, true],
    [{ cookie, origin: 'https://proxy.example', host: 'Proxy.Example:443' }, true],
    [{ cookie, origin: 'https://proxy.example', host: 'proxy.example:80' }, false],
    [{ cookie, origin: 'https://proxy.example', host: 'proxy.example@evil.example' }, false],
    [{ cookie, origin: 'file://', host: '' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://evil.example', authorization: 'Basic YTpi' }, false],
    [{ origin: 'https://evil.example', authorization: 'Bearer key' }, true],
    [{ origin: 'https://evil.example', authorization: 'Bearer key', cookie }, false],
    [{ origin: 'https://evil.example', 'content-type': 'application/json', cookie }, false],
  ])('with %j may change things: %s', async (headers, passes) => {
    const webhooks = engineOn(memoryStorage());
    await webhooks.create({ url: HOOK_URL });
    const call = caller(
      createAdminApi(webhooks, { authorize: () => ADMIN, trustedOrigins: ['https://trusted.example.org'] }),
    );
    for (const [method, path, success] of [
      ['POST', '/1/test', 202],
      ['PUT', '/1', 200],
      ['POST', '', 201],
      ['DELETE', '/1', 204],
    ] as const) {
      const withBody = method === 'PUT' || path === '' ? { body: { url: HOOK_URL } } : {};
      const answer = await call(method, path, { headers, ...withBody });
      expect(answer.status).toBe(passes ? success : 403);
      if (!passes) expect(answer.json.code).toBe('cross_site');
    }
    expect((await webhooks.list()).total).toBe(1);
    expect((await call('GET', '', { headers })).status).toBe(200);
  });
});
