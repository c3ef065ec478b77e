import { gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { expectMissedByExpress } from '../../../toolkit/test/framework-hosts.ts';
import { exchangeRaw, listen } from '../../../toolkit/test/loopback.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { mount } from '../../src/express/mount.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { actorFromHeader, BASE, engineOn, HOOK_URL, requestInit } from '../admin/admin-harness.ts';

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

describe('mount', () => {
  it('fits Express without a cast', () => {
    expectTypeOf<ReturnType<typeof mount>>().toExtend<RequestHandler>();
  });

  it('refuses what is no handler', () => {
    expect(() => mount(undefined as never)).toThrow(TypeError);
  });

  it('is missed by an error, not by a request that hangs', async () => {
    const api = createAdminApi(engineOn(memoryStorage()), { authorize: actorFromHeader });
    for (const handler of [api, createAdminPanel({ apiPath: BASE })]) {
      await expectMissedByExpress(handler, /app\.use\(mount\(api\)\)/);
    }
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

  it.each([
    `GET ${BASE}/..;/events HTTP/1.1\r\nHost: a`,
    `TRACE ${BASE} HTTP/1.1\r\nHost: a`,
    `POST ${BASE} HTTP/1.1\r\nHost: a\r\nX-Actor: {`,
  ])('answers %j below 500 where the host can answer at all', async (head) => {
    const webhooks = engineOn(memoryStorage());
    const api = createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) });
    const { port } = await listen(express().use(mount(api)));
    const answer = await exchangeRaw(port, `${head}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });
});
