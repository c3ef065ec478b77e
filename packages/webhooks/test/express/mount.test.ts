import { gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { type ExpressHandler, mount } from '../../src/express/mount.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { actorFromHeader, BASE, engineOn, HOOK_URL, requestInit } from '../admin/admin-harness.ts';
import { exchangeRaw, listen } from '../http/loopback.ts';

/** The ways in which hosts put the API into an app. */
const MOUNTINGS: [string, (api: RequestHandler) => express.Express][] = [
  ['app.use(mount(api))', (api) => express().use(api)],
  [`app.use('${BASE}', mount(api))`, (api) => express().use(BASE, api)],
  ['a router under a prefix', (api) => express().use('/api', express.Router().use('/admin', api))],
  ['after express.json()', (api) => express().use(express.json()).use(api)],
  [
    'after express.json() for every type',
    (api) =>
      express()
        .use(express.json({ type: () => true }))
        .use(api),
  ],
  [
    'after express.raw()',
    (api) =>
      express()
        .use(express.raw({ type: 'application/json' }))
        .use(api),
  ],
  [
    'after express.text()',
    (api) =>
      express()
        .use(express.text({ type: 'application/json' }))
        .use(api),
  ],
  ['after express.urlencoded()', (api) => express().use(express.urlencoded()).use(api)],
];

async function start(compose: (api: RequestHandler) => express.Express) {
  const webhooks = engineOn(memoryStorage());
  const api = createAdminApi(webhooks, { authorize: actorFromHeader });
  const app = compose(mount(api));
  app.disable('x-powered-by');
  app.use((_, response) => void response.status(404).send('the host'));
  const { origin, port } = await listen(app);
  const call = async (method: string, path: string, options: Parameters<typeof requestInit>[1] = {}) => {
    const response = await fetch(
      origin + (path.startsWith('!') ? path.slice(1) : BASE + path),
      requestInit(method, options),
    );
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return { app, call, port, webhooks };
}

const json = { 'content-type': 'application/json' };

/** A chunked body without a byte. */
const emptyStream = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.close() });

describe.each(MOUNTINGS)('%s', (_, compose) => {
  it('serves every endpoint', async () => {
    const { call } = await start(compose);
    const created = await call('POST', '', {
      body: { url: HOOK_URL, description: 'grüße', events: ['user.*'] },
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ id: 1, description: 'grüße', created_by: 42 });
    expect((await call('GET', '?search=gr%C3%BC')).json.total).toBe(1);
    expect((await call('GET', '/events')).json.events.length).toBeGreaterThan(15);
    expect((await call('GET', '/1')).json.stats).toEqual({ total: 0, success: 0, failed: 0, pending: 0 });
    expect((await call('PUT', '/1', { body: { is_active: true } })).status).toBe(200);
    const tested = await call('POST', '/1/test');
    expect(tested.status).toBe(202);
    expect((await call('GET', '/1/deliveries')).json.deliveries).toHaveLength(1);
    const { json } = await call('GET', `/1/deliveries/${tested.json.delivery_id}`);
    expect(json.payload).toMatchObject({ webhook_id: 1 });
    expect((await call('HEAD', '/1')).text).toBe('');
    expect((await call('OPTIONS', '/1')).headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
    expect((await call('DELETE', '/1')).status).toBe(204);
  });

  it('refuses what the API refuses', async () => {
    const { call } = await start(compose);
    expect((await call('GET', '', { actor: null })).status).toBe(401);
    expect((await call('POST', '', { body: { url: HOOK_URL, secret: 'x' } })).status).toBe(422);
    expect((await call('POST', '')).status).toBe(400);
    expect((await call('PUT', '/1', { headers: json })).status).toBe(400);
    expect((await call('PUT', '/1', { headers: json, raw: emptyStream() })).status).toBe(400);
    expect((await call('PATCH', '/1')).status).toBe(405);
    expect((await call('GET', '/1/')).status).toBe(404);
    const form = { raw: 'url=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await call('POST', '', form)).status).toBeGreaterThanOrEqual(400);
    const prototype = {
      raw: `{"url":"${HOOK_URL}","__proto__":{"a":1}}`,
      headers: { 'content-type': 'application/json' },
    };
    expect((await call('POST', '', prototype)).status).toBe(422);
    const large = { body: { url: HOOK_URL, description: 'x'.repeat(65_536) } };
    expect((await call('POST', '', large)).status).toBe(413);
    const deep = {
      raw: '['.repeat(32_000) + ']'.repeat(32_000),
      headers: { 'content-type': 'application/json' },
    };
    const { status } = await call('POST', '', deep);
    expect([400, 422]).toContain(status);
    expect((await call('GET', '')).json.total).toBe(0);
  });

  it('leaves every other path to the host', async () => {
    const { call, port } = await start(compose);
    for (const path of [
      '/',
      '/api',
      '/api/admin',
      `${BASE}2`,
      `${BASE}/..`,
      BASE.toUpperCase(),
      `/${BASE}`,
    ]) {
      const answer = await call('GET', `!${path}`);
      expect(answer).toMatchObject({ status: 404, text: 'the host' });
    }
    const request = 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(await exchangeRaw(port, request)).not.toMatch(/^HTTP\/1\.1 [25]00/);
  });
});

describe('mount', () => {
  it('fits Express without a cast', () => {
    expectTypeOf<ExpressHandler>().toExtend<RequestHandler>();
  });

  it('refuses what is no handler', () => {
    expect(() => mount(undefined as never)).toThrow(TypeError);
  });

  it('serves a handler without a base path at every path', async () => {
    const app = express().use(mount(async (request) => new Response(new URL(request.url).pathname)));
    const { origin } = await listen(app);
    expect(await (await fetch(`${origin}/any/where`)).text()).toBe('/any/where');
  });

  it('sees the headers as the middleware before it left them', async () => {
    const app = express()
      .use((request, _, next) => {
        delete request.headers['x-user'];
        request.headers.authorization = 'Bearer from-cookie';
        next();
      })
      .use(mount(async ({ headers }) => Response.json(Object.fromEntries(headers))));
    const { origin } = await listen(app);
    const seen = await (await fetch(origin, { headers: { 'x-user': 'root' } })).json();
    expect(seen).toMatchObject({ authorization: 'Bearer from-cookie' });
    expect(seen).not.toHaveProperty('x-user');
  });

  it('takes a compressed body that express.json() has read, and only then', async () => {
    const compressed = new Uint8Array(gzipSync(JSON.stringify({ url: HOOK_URL })));
    const options = { raw: compressed, headers: { ...json, 'content-encoding': 'gzip' } };
    const parsed = await start((api) => express().use(express.json()).use(api));
    expect((await parsed.call('POST', '', options)).status).toBe(201);
    const unparsed = await start((api) => express().use(api));
    expect((await unparsed.call('POST', '', options)).status).toBe(415);
  });

  it('hands the error of a handler to the error middleware of the host', async () => {
    const app = express().use(
      mount(async () => {
        throw new Error('broken');
      }),
    );
    const report: express.ErrorRequestHandler = (error, _request, response, _next) => {
      response.status(500).send(`host: ${error.message}`);
    };
    const { origin } = await listen(app.use(report));
    const response = await fetch(origin);
    expect([response.status, await response.text()]).toEqual([500, 'host: broken']);
  });

  it.each([
    'GET //evil.example/api/admin/webhooks HTTP/1.1\r\nHost: a',
    `GET http://evil.example${BASE} HTTP/1.1\r\nHost: a`,
    `GET ${BASE}/%zz HTTP/1.1\r\nHost: a`,
    `GET ${BASE}/%2e%2e%2fevents HTTP/1.1\r\nHost: a`,
    `GET ${BASE}/..;/events HTTP/1.1\r\nHost: a`,
    `GET ${BASE}?%zz=%zz HTTP/1.1\r\nHost: a`,
    `GET ${BASE} HTTP/1.1\r\nHost: a/b@c`,
    `GET ${BASE} HTTP/1.1\r\nHost: [::`,
    `TRACE ${BASE} HTTP/1.1\r\nHost: a`,
    `PROPFIND ${BASE} HTTP/1.1\r\nHost: a`,
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nX-Actor: {`,
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Type: \xff`,
  ])('answers %j below 500 where the host can answer at all', async (head) => {
    const webhooks = engineOn(memoryStorage());
    const api = createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) });
    const { port } = await listen(express().use(mount(api)));
    const answer = await exchangeRaw(port, `${head}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });

  it('answers 413 to a client that goes on sending', async () => {
    const { call } = await start((api) => express().use(api));
    const body = JSON.stringify({ url: HOOK_URL, description: 'x'.repeat(3_000_000) });
    // The second has no Content-Length: it is counted as it arrives.
    for (const raw of [body, new Blob([body]).stream()]) {
      const answer = await call('POST', '', { raw, headers: json });
      expect(answer).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
    }
  });

  it('changes nothing for a client that left in the middle of its body', async () => {
    const { port, webhooks } = await start((api) => express().use(api));
    const body = JSON.stringify({ url: HOOK_URL });
    const head = `POST ${BASE} HTTP/1.1\r\nHost: a\r\nX-Actor: {"uid":"1","scopes":["admin:webhooks"]}\r\nContent-Type: application/json`;
    await exchangeRaw(port, `${head}\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`).catch(() => {});
    expect((await webhooks.list()).total).toBe(0);
  });
});
