import { describe, expect, it } from 'vitest';
import { words } from '../../../toolkit/test/words.ts';
import { generateApiKey, hashApiKey } from '../../src/api-keys/api-key.ts';
import type { ApiKeyValidator } from '../../src/api-keys/api-key-validator.ts';
import { ErrInvalidToken, ErrTokenExpired } from '../../src/errors.ts';
import { START } from '../fake-clock.ts';
import { forgeToken } from '../tokens/forge-token.ts';
import type { Framework } from './framework.ts';
import { cookies, createGuardHarness, EXPIRED, problemOf } from './guard-harness.ts';
import { serveRoute } from './serve-route.ts';

const { key, hash } = generateApiKey('acme');
const knowsKey: ApiKeyValidator = (asked) => (asked === hash ? { uid: 'key', scopes: ['read'] } : null);

/** What guards that take API keys promise, whatever the framework, wherever it is mounted. */
export function apiKeyContract<G>(framework: Framework<G>, prefix: string): void {
  const { requireApiKey, requireAuthOrApiKey, requireScope } = framework;
  const serve = (guards: readonly G[]) => serveRoute(framework, prefix, guards);

  describe('requireApiKey', () => {
    it('gives the validator the hash and the handler the claims', async () => {
      const asked: string[] = [];
      const validator: ApiKeyValidator = async (hash) => {
        asked.push(hash);
        return { uid: '7', scopes: ['read'], issuedAt: 5, expiresAt: 0 };
      };
      const { ask } = await serve([requireApiKey(validator), requireScope('read')]);
      const claims = { uid: '7', scopes: ['read'], issuedAt: 5, expiresAt: 0, credential: 'api_key' };
      for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
        expect(await (await ask({ authorization })).json()).toEqual(claims);
      }
      expect(asked).toEqual([hash, hash, hash]);
    });

    const OF_OTHER_SYSTEMS = [
      ...words(`
        12|aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b user:aB3dE5fG7hI9 $2y$notahash$but-a-key team#4f5e6d7c
        ak,live,4f5e6d7c SK4f5e6d7c8b9a0f1e2d3c4b5a6978 sk-live-4f5e6d7c8b9a
      `),
      '!"%&\'()*;<>?@[]^`{}=',
    ];

    it('gives the validator the keys of other systems as they are', async () => {
      const known = new Map(OF_OTHER_SYSTEMS.map((foreign) => [hashApiKey(foreign), foreign]));
      const { ask } = await serve([requireApiKey((asked) => ({ uid: known.get(asked) ?? '', scopes: [] }))]);
      for (const foreign of OF_OTHER_SYSTEMS) {
        const response = await ask({ authorization: `Bearer ${foreign}` });
        expect(await response.json()).toMatchObject({ uid: foreign });
      }
    });

    it('refuses an option that does not exist', () => {
      const misspelt = { log: console } as object;
      expect(() => requireApiKey(() => null, misspelt)).toThrow('requireApiKey: unknown option "log"');
    });

    const NO_KEYS = [
      '',
      'Bearer',
      'Basic eDp5',
      `Bearer ${key} ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      `Token ${key}`,
      key,
    ];

    it('counts every other spelling of the header as no key', async () => {
      const { ask, reached } = await serve([requireApiKey(() => ({ uid: '7', scopes: [] }))]);
      for (const authorization of NO_KEYS) {
        const response = await ask({ authorization, ...cookies(forgeToken()) });
        expect([authorization, response.status]).toEqual([authorization, 401]);
        expect((await problemOf(response)).code).toBe('token_missing');
      }
      expect(reached).toEqual([]);
    });

    const REFUSING: readonly [string, number, string, ApiKeyValidator][] = [
      ['gives null', 401, 'token_invalid', () => null],
      ['throws ErrInvalidToken', 401, 'token_invalid', () => Promise.reject(new ErrInvalidToken('revoked'))],
      ['throws ErrTokenExpired', 401, 'token_expired', () => Promise.reject(new ErrTokenExpired())],
      ['gives expired claims', 401, 'token_expired', () => ({ uid: '7', scopes: [], expiresAt: START })],
      ['rejects', 503, 'unavailable', () => Promise.reject(new Error('connection refused'))],
      ['rejects with nothing', 503, 'unavailable', () => Promise.reject(undefined)],
      ['gives claims without uid', 503, 'unavailable', () => ({ scopes: [] }) as never],
      ['gives true', 503, 'unavailable', () => true as never],
      ['throws a Response', 503, 'unavailable', () => Promise.reject(new Response('x', { status: 200 }))],
    ];

    it('lets nobody pass when the validator gives no claims that are valid', async () => {
      for (const [what, status, code, validator] of REFUSING) {
        const { logger, logged } = createGuardHarness();
        const { ask, reached } = await serve([requireApiKey(validator, { logger })]);
        const response = await ask({ authorization: `Bearer ${key}` });
        expect([what, response.status]).toEqual([what, status]);
        expect([what, (await problemOf(response)).code]).toEqual([what, code]);
        expect([what, reached]).toEqual([what, []]);
        expect(logged, what).toHaveLength(status === 503 ? 1 : 0);
        expect(JSON.stringify(logged)).not.toContain(key);
      }
    });

    it('reports what a validator threw, and what it has to throw for a 401', async () => {
      const reports: [object, string][] = [];
      const logger = { error: (...report: [object, string]) => void reports.push(report) };
      for (const [thrown, err] of [
        [new Error('no such row'), { name: 'Error', message: 'no such row' }],
        ['text', { message: 'text' }],
        [undefined, { name: 'AuthError' }],
      ] as const) {
        const { ask } = await serve([requireApiKey(() => Promise.reject(thrown), { logger })]);
        expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(503);
        const [fields, message] = reports.pop() ?? [];
        expect(fields).toEqual({ err: expect.any(Error) });
        expect(fields).toMatchObject({ err });
        expect(message).toContain('throw ErrInvalidToken');
      }
      expect(reports).toEqual([]);
    });
  });

  describe('requireAuthOrApiKey', () => {
    const own = cookies(forgeToken());
    const bearer = { authorization: `Bearer ${key}` };
    const crossSite = { 'sec-fetch-site': 'cross-site' };

    const CREDENTIALS: readonly [string, Record<string, string>, number, string][] = [
      ['the cookie', own, 200, '42'],
      ['the key', bearer, 200, 'key'],
      ['the cookie before the key', { ...own, ...bearer }, 200, '42'],
      ['the cookie beside a wrong key', { ...own, authorization: 'Bearer wrong' }, 200, '42'],
      ['the key after an expired cookie', { ...cookies(EXPIRED), ...bearer }, 200, 'key'],
      ['the key of a cross-site request', { ...own, ...bearer, ...crossSite }, 200, 'key'],
      ['no wrong key', { ...cookies(EXPIRED), authorization: 'Bearer wrong' }, 401, 'token_invalid'],
      ['no expired cookie', cookies(EXPIRED), 401, 'token_expired'],
      ['no cross-site cookie', { ...own, ...crossSite }, 403, 'cross_site'],
      ['no token as a key', { authorization: `Bearer ${forgeToken()}` }, 401, 'token_invalid'],
      ['nothing', {}, 401, 'token_missing'],
    ];

    it('accepts a cookie of its own, else a key', async () => {
      const { auth } = createGuardHarness();
      const { ask } = await serve([requireAuthOrApiKey(auth, knowsKey)]);
      for (const [what, headers, status, outcome] of CREDENTIALS) {
        const response = await ask(headers, 'POST');
        expect([what, response.status]).toEqual([what, status]);
        expect(await response.json(), what).toMatchObject(
          status === 200 ? { uid: outcome } : { code: outcome },
        );
      }
    });

    it('does not fall back to the key when the server failed to judge the cookie', async () => {
      let readings = 0;
      const { auth, logged } = createGuardHarness({
        clock: () => (++readings === 1 ? Number.NaN : START * 1000),
      });
      const { ask, reached } = await serve([requireAuthOrApiKey(auth, knowsKey)]);
      expect((await ask({ ...own, ...bearer })).status).toBe(503);
      expect([reached.length, logged.length]).toEqual([0, 1]);
    });
  });
}
