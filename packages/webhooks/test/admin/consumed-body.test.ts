import express, { type RequestHandler } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../toolkit/test/loopback.ts';
import { type AdminApi, createAdminApi } from '../../src/admin/admin-api.ts';
import { mount as onExpress } from '../../src/express/mount.ts';
import { mount as onFastify } from '../../src/fastify/mount.ts';
import { mount as onHono } from '../../src/hono/mount.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, actorFromHeader, BASE, engineOn, HOOK_URL } from './admin-harness.ts';

type Send = (method: string, path: string, actor?: unknown) => Promise<Response>;

const requestTo = (origin: string, method: string, path: string, actor: unknown = ADMIN) =>
  new Request(`${origin}${BASE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-actor': JSON.stringify(actor) },
    body: JSON.stringify({ url: HOOK_URL }),
  });

const drain: RequestHandler = (request, _response, next) => void request.resume().once('end', () => next());

async function expressThatDrains(api: AdminApi): Promise<Send> {
  const { origin } = await listen(express().use(drain, onExpress(api)));
  return (...sent) => fetch(requestTo(origin, ...sent));
}

/** A listener lets the body flow away while `authorize` is awaited. */
async function expressThatCounts(api: AdminApi): Promise<Send> {
  const count: RequestHandler = (request, _response, next) => {
    request.on('data', () => {});
    next();
  };
  const { origin } = await listen(express().use(count, onExpress(api)));
  return (...sent) => fetch(requestTo(origin, ...sent));
}

async function fastifyThatDrains(api: AdminApi): Promise<Send> {
  const app = fastify();
  app.addHook('preParsing', async (_request, _reply, payload) => {
    for await (const _ of payload);
    return payload;
  });
  app.register(onFastify(api));
  onTestFinished(() => app.close());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return (...sent) => fetch(requestTo(origin, ...sent));
}

/** Express 4 sets `{}` where none of its parsers parses anything. */
async function expressThatPresets(api: AdminApi): Promise<Send> {
  const preset: RequestHandler = (request, _response, next) => {
    request.body = {};
    next();
  };
  const { origin } = await listen(express().use(preset, drain, onExpress(api)));
  return (...sent) => fetch(requestTo(origin, ...sent));
}

/** A fetch application that reads the body first. */
async function bareThatReads(api: AdminApi): Promise<Send> {
  return async (...sent) => {
    const request = requestTo('http://localhost', ...sent);
    await request.text();
    return await api(request);
  };
}

/** As a server does that makes the request of a stream that is consumed. */
async function bareWithEmptyBody(api: AdminApi): Promise<Send> {
  return async (...sent) => {
    const { url, method, headers } = requestTo('http://localhost', ...sent);
    headers.set('content-length', '40');
    return await api(
      new Request(url, { method, headers, body: new Blob([]).stream(), ...{ duplex: 'half' } }),
    );
  };
}

async function honoThatReads(api: AdminApi): Promise<Send> {
  const app = new Hono();
  app.use(async (c, next) => {
    await c.req.raw.text();
    await next();
  });
  app.use(onHono(api));
  return async (...sent) => await app.request(requestTo('http://localhost', ...sent));
}

describe.each<[string, (api: AdminApi) => Promise<Send>]>([
  ['Express', expressThatDrains],
  ['Express, by a listener', expressThatCounts],
  ['Express, with a body that is preset', expressThatPresets],
  ['a fetch application', bareThatReads],
  ['a server that gives an empty body', bareWithEmptyBody],
  ['Fastify', fastifyThatDrains],
  ['Hono', honoThatReads],
])('a body that was consumed and not parsed before %s', (_, serve) => {
  async function start() {
    const logged: { readonly error?: { readonly message: string } }[] = [];
    const webhooks = engineOn(memoryStorage());
    const { id } = await webhooks.create({ url: HOOK_URL });
    const authorize = async (request: Request) => {
      // The answer of a database comes later.
      await new Promise(setImmediate);
      return actorFromHeader(request);
    };
    const keep = (fields: object) => void logged.push(fields);
    const logger = { debug: keep, info: keep, warn: keep, error: keep };
    const send = await serve(createAdminApi(webhooks, { authorize, logger }));
    return { send, logged, id, webhooks };
  }

  it('is told the developer, and not the client, where a route needs it', async () => {
    const { send, logged, webhooks } = await start();
    const response = await send('POST', '');
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([500, 'internal_error']);
    expect(logged).toMatchObject([
      { error: { message: expect.stringMatching(/^The body has been read already: mount/) } },
    ]);
    expect((await webhooks.list()).total).toBe(1);
  });

  it('is not taken for no body where a route may have none', async () => {
    const { send, id } = await start();
    expect((await send('POST', `/${id}/rotate-secret`)).status).toBe(500);
  });

  it('changes no answer of a route that needs none', async () => {
    const { send, logged, id } = await start();
    expect((await send('DELETE', `/${id}`)).status).toBe(204);
    expect(logged).toEqual([]);
  });

  it('tells strangers nothing, and no log of them', async () => {
    const { send, logged } = await start();
    expect((await send('POST', '', null)).status).toBe(401);
    expect(logged).toEqual([]);
  });
});
