import type { RequestListener } from 'node:http';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { express4, serveFastify } from '../../../toolkit/test/framework-hosts.ts';
import { HONO_SERVERS } from '../../../toolkit/test/hono-hosts.ts';
import { exchangeRaw, listen } from '../../../toolkit/test/loopback.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, BASE, engineOn, HOOK_URL } from '../admin/admin-harness.ts';

/** What a host puts before the API: it refuses whatever it takes for the API's path. */
const GUARD = { status: 403, text: 'refused by the host' };

/** An API that anybody may use who gets past the host's own guard. */
async function openApi() {
  const webhooks = engineOn(memoryStorage());
  await webhooks.create({ url: HOOK_URL });
  return { webhooks, api: createAdminApi(webhooks, { authorize: () => ADMIN }) };
}

type Api = Awaited<ReturnType<typeof openApi>>['api'];

const portOf = async (listener: RequestListener) => (await listen(listener)).port;

const onExpress = (from: typeof express) => (api: Api) =>
  portOf(
    from()
      .use('/api/admin', (_request, response) => void response.status(GUARD.status).send(GUARD.text))
      .use(mountInExpress(api)),
  );

async function onFastify(api: Api): Promise<number> {
  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/admin/')) await reply.code(GUARD.status).send(GUARD.text);
  });
  app.register(mountInFastify(api));
  const { port } = await serveFastify(app, {});
  return Number(port);
}

const onHono = (api: Api) =>
  portOf(
    HONO_SERVERS['2'](
      new Hono().use('/api/admin/*', async (c) => c.text(GUARD.text, 403)).use(mountInHono(api)).fetch,
    ),
  );

const HOSTS = [
  ['Express 5', onExpress(express)],
  ['Express 4', onExpress(express4)],
  ['Fastify 5', onFastify],
  ['Hono 4', onHono],
] as const;

const TARGETS = [
  `/x/..${BASE}`,
  `/.${BASE}`,
  `/.${BASE}/1`,
  `/x/%2e%2e${BASE}`,
  `/x/%2E.${BASE}`,
  `/x/.%2e${BASE}/1`,
  `/x/..${BASE}?limit=1`,
  BASE.replaceAll('/', '\\'),
  `/${BASE.slice(1).replaceAll('/', '\\')}`,
  `/x\\..${BASE}`,
  `http://o/x/..${BASE}`,
  `http://o/.${BASE}/1`,
  `HTTP://o\\x\\..${BASE}`,
  `http://o;x${BASE}`,
  `http://o\\${BASE.slice(1)}`,
  `http:/o${BASE}`,
  `http:o${BASE}`,
  `http:///o${BASE}`,
  `/x/..#${BASE}`,
];

describe.each(HOSTS)('the guard of a host on %s', (_name, serve) => {
  it.each(['GET', 'DELETE'])('is passed by no spelling of a path: %s', async (method) => {
    const { api, webhooks } = await openApi();
    const port = await serve(api);
    for (const target of [BASE, `${BASE}/1`, ...TARGETS]) {
      const answer = await exchangeRaw(
        port,
        `${method} ${target} HTTP/1.1\r\nHost: o\r\nConnection: close\r\n\r\n`,
      );
      expect([target, answer]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 (?:40[034]) |^$/)]);
    }
    expect((await webhooks.list()).total).toBe(1);
  });
});

const UNGUARDED = [
  ['Express 5', (api: Api) => portOf(express().use(mountInExpress(api)))],
  ...Object.entries(HONO_SERVERS).map(
    ([release, listener]) =>
      [
        `Hono 4 on node-server ${release}`,
        (api: Api) => portOf(listener(new Hono().use(mountInHono(api)).fetch)),
      ] as const,
  ),
] as const;

describe.each(UNGUARDED)('the API on %s', (_name, serve) => {
  it('has one spelling of each path, where no guard refuses the others', async () => {
    const { api } = await openApi();
    const port = await serve(api);
    const ask = (target: string) =>
      exchangeRaw(port, `GET ${target} HTTP/1.1\r\nHost: o\r\nConnection: close\r\n\r\n`);
    expect(await ask(`${BASE}/1`)).toMatch(/^HTTP\/1\.1 200 /);
    for (const target of TARGETS) {
      expect([target, await ask(target)]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 40[04] |^$/)]);
    }
  });
});

describe.each([
  ['Express 5', express],
  ['Express 4', express4],
])('the API on %s', (_name, from) => {
  it('answers for a path that is asked for as a proxy is asked', async () => {
    const { api } = await openApi();
    const port = await portOf(from().use(mountInExpress(api)));
    for (const authority of ['o', 'o_1.example.com:8080', '127.0.0.1', '[::1]:80']) {
      const head = `GET http://${authority}${BASE}/1?x= HTTP/1.1\r\nHost: o\r\nConnection: close`;
      expect(await exchangeRaw(port, `${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 422 /);
    }
  });
});
