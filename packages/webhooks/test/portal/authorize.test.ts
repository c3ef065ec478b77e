import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { READS } from '../../src/admin/api-handler.ts';
import { routesFor } from '../../src/admin/routes/routes.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import type { PortalApiOptions } from '../../src/portal/portal-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { actorFromHeader } from '../admin/admin-harness.ts';
import { everyRequest } from '../admin/routes/every-request.ts';
import { engineOn, HOOK_URL, portalCaller, READER, SCOPES, startPortal, USER } from './portal-harness.ts';

const HEX = '0123456789abcdef0123456789abcdef';

type Wrong = readonly [what: string, answer: unknown];

/** What `authorize` may answer that is no user of a customer. */
const WRONG: readonly Wrong[] = [
  ['no tenant', { uid: '1', scopes: ['webhooks'] }],
  ['a tenant that is undefined', { ...USER, tenant: undefined }],
  ['a tenant that is null', { ...USER, tenant: null }],
  ['an empty tenant', { ...USER, tenant: '' }],
  ['a number as tenant', { ...USER, tenant: 7 }],
  ['a list of tenants', { ...USER, tenant: ['acme'] }],
  ['a tenant with a space at its end', { ...USER, tenant: 'acme ' }],
  ['a tenant with an invisible character', { ...USER, tenant: 'ac\u200bme' }],
  ['a tenant over two lines', { ...USER, tenant: 'ac\nme' }],
  ['a tenant that is too long', { ...USER, tenant: 'x'.repeat(65) }],
  ['no uid', { tenant: 'acme', scopes: ['webhooks'] }],
  ['no scopes', { uid: '1', tenant: 'acme' }],
  ['scopes as text', { ...USER, scopes: 'webhooks' }],
  ['the tenant alone', 'acme'],
  ['true', true],
  ['an empty object', {}],
];

function startLogged(authorize: unknown) {
  const logged: unknown[] = [];
  const log = (fields: object, message: string) => void logged.push([message, fields]);
  const logger = { debug: log, info: log, warn: log, error: log };
  const options = { authorize: authorize as PortalApiOptions['authorize'], logger };
  return { ...startPortal(options), logged };
}

describe('who is no user of a customer', () => {
  inOneTest(WRONG)('is let in by no request and logged: %s', async (_, answer) => {
    const { call, logged, webhooks } = startLogged(async () => answer);
    const requests = everyRequest(HEX, 'customers').map(
      ({ method, path, body }) => [method, path, body] as const,
    );
    for (const [method, path, body] of [...requests, ['GET', '/nothing', undefined] as const]) {
      const { status, json } = await call(method, path, body === undefined ? {} : { body });
      expect([status, json.code]).toEqual([503, 'authorization_unavailable']);
      expect(logged.splice(0)).toMatchObject([
        ['portal API request failed', { code: 'authorization_unavailable', method }],
      ]);
    }
    expect((await webhooks.list()).total).toBe(0);
  });

  it('is 401 where nobody is logged in, and what the host throws otherwise', async () => {
    expect(await startPortal().call('GET', '', { actor: null })).toMatchObject({
      status: 401,
      json: { code: 'unauthenticated' },
    });
    for (const [status, code, answered] of [
      [401, 'token_expired', 401],
      [403, 'blocked', 403],
      [404, 'nowhere', 503],
    ] as const) {
      const { call } = startLogged(async () => {
        throw Object.assign(new Error('of alice'), { status, code });
      });
      const answer = await call('GET', '');
      expect(answer.status).toBe(answered);
      expect(answer.text).not.toContain('alice');
    }
  });
});

describe('the scopes of customers', () => {
  const requests = new Map(everyRequest(HEX).map((request) => [request.name, request]));

  inOneTest(routesFor('customers'))('$name needs the scope of what it does', async ({ name, method }) => {
    const { call, webhooks } = startPortal();
    await webhooks.forTenant('acme').create({ url: HOOK_URL });
    const { path = '', body } = requests.get(name) ?? {};
    const refused = async (scopes: readonly string[]) => {
      const { status, json, headers } = await call(method, path, {
        actor: { ...USER, scopes },
        ...(body && { body }),
      });
      return status === 403 && json.code === 'insufficient_scope' && headers.get('www-authenticate');
    };
    const needed = READS.includes(method) ? SCOPES.read : SCOPES.change;
    const challenge = `Bearer error="insufficient_scope", scope="${needed}"`;
    for (const scopes of [[], ['admin:webhooks'], ['webhooks:*', '*'], ['Webhooks'], ['webhooks:write']]) {
      expect(await refused(scopes)).toBe(challenge);
    }
    expect(await refused([SCOPES.read])).toBe(READS.includes(method) ? false : challenge);
    expect(await refused(['other', SCOPES.change])).toBe(false);
  });

  it('hold for HEAD and OPTIONS, and before a path is looked up', async () => {
    const { call } = startPortal();
    for (const method of ['HEAD', 'OPTIONS']) {
      expect((await call(method, '', { actor: READER })).status).toBeLessThan(300);
      expect((await call(method, '', { actor: { ...USER, scopes: [] } })).status).toBe(403);
    }
    expect((await call('GET', '/nothing', { actor: { ...USER, scopes: [] } })).status).toBe(403);
    expect((await call('POST', '/nothing', { actor: READER })).status).toBe(403);
    expect((await call('PATCH', '', { actor: READER })).status).toBe(403);
  });

  it('have the names that the host gives them', async () => {
    const { call } = startPortal({ scopes: { change: 'hooks/write', read: 'hooks/read' } });
    const statusOf = async (method: string, scope: string) =>
      (
        await call(method, '', {
          actor: { ...USER, scopes: [scope] },
          ...(method === 'POST' && { body: {} }),
        })
      ).status;
    expect(await statusOf('GET', 'hooks/read')).toBe(200);
    expect(await statusOf('GET', 'hooks/write')).toBe(200);
    expect(await statusOf('POST', 'hooks/read')).toBe(403);
    expect(await statusOf('POST', 'hooks/write')).toBe(422);
    expect(await statusOf('GET', 'webhooks')).toBe(403);
  });
});

describe('the options of the portal API', () => {
  const webhooks = engineOn(memoryStorage());
  const authorize = actorFromHeader;

  inOneTest<[string, unknown]>([
    ['no options', undefined],
    ['null', null],
    ['no authorize', {}],
    ['authorize that is no function', { authorize: true }],
    ['names of administrators', { authorize, describeActors: () => new Map() }],
    ['a trailing slash', { authorize, basePath: '/api/' }],
    ['an audit hook that is no function', { authorize, onAudit: true }],
    ['origins that are null', { authorize, trustedOrigins: null }],
    ['scopes as text', { authorize, scopes: 'webhooks' }],
    ['to read with the scope that changes by default', { authorize, scopes: { read: 'webhooks' } }],
    ['an unknown scope', { authorize, scopes: { write: 'webhooks' } }],
    ['an empty scope', { authorize, scopes: { read: '' } }],
    ['a scope with a space', { authorize, scopes: { change: 'web hooks' } }],
    ['a scope in quotation marks', { authorize, scopes: { change: '"webhooks"' } }],
    ['a scope that is too long', { authorize, scopes: { change: 'x'.repeat(129) } }],
  ])('may not be %s', (_, options) => {
    expect(() => createPortalApi(webhooks, options as PortalApiOptions)).toThrow(TypeError);
  });

  inOneTest<[string, unknown]>([
    ['that of one tenant', webhooks.forTenant('acme')],
    ['nothing', undefined],
    ['the options', { authorize }],
  ])('the engine may not be %s', (_, engine) => {
    expect(() => createPortalApi(engine as typeof webhooks, { authorize })).toThrow(/createWebhooks returns/);
  });

  it('serve /api/webhooks by default, and another path where one is given', async () => {
    const api = createPortalApi(webhooks, { authorize });
    expect(api.basePath).toBe('/api/webhooks');
    const other = createPortalApi(webhooks, { authorize, basePath: '/hooks' });
    expect((await portalCaller(other)('GET', '!/hooks')).status).toBe(200);
  });
});
