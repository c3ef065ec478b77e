import express, { type RequestHandler } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions as onExpress } from '../../src/express/mount-sessions.ts';
import { mountSessions as onFastify } from '../../src/fastify/mount-sessions.ts';
import { mountSessions as onFetch } from '../../src/fetch/mount-sessions.ts';
import { mountSessions as onHono } from '../../src/hono/mount-sessions.ts';
import type { Sessions } from '../../src/sessions/sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

const BODY = JSON.stringify({ login: '7', password: 'secret of 7' });

type Post = (path: string) => Promise<Response>;

const post = (path: string) =>
  new Request(`https://app.example/api/admin/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: BODY,
  });

function expressWith(before: RequestHandler): (sessions: Sessions) => Promise<Post> {
  return async (sessions) => {
    const { origin } = await listen(express().use(before, onExpress(sessions)));
    return (path) => fetch(new Request(`${origin}/api/admin/auth/${path}`, post(path)));
  };
}

const drain: RequestHandler = (request, _response, next) => void request.resume().once('end', () => next());

function honoWith(read: (request: Request) => unknown): (sessions: Sessions) => Promise<Post> {
  return async (sessions) => {
    const app = new Hono();
    app.use(async (c, next) => {
      await read(c.req.raw);
      await next();
    });
    app.use(onHono(sessions));
    return async (path) => await app.request(post(path));
  };
}

async function fastifyThatDrains(sessions: Sessions): Promise<Post> {
  const app = fastify();
  app.addHook('preParsing', async (_request, _reply, payload) => {
    for await (const _ of payload);
    return payload;
  });
  app.register(onFastify(sessions));
  onTestFinished(() => app.close());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return (path) => fetch(new Request(`${origin}/api/admin/auth/${path}`, post(path)));
}

function handlerAfter(read: (request: Request) => unknown, isMounted: boolean) {
  return async (sessions: Sessions): Promise<Post> => {
    const handler = isMounted ? onFetch(sessions)(() => new Response()) : sessions.handler;
    return async (path) => {
      const request = post(path);
      await read(request);
      return await handler(request);
    };
  };
}

/** As a server does that makes the request of a stream that is consumed. */
async function handlerOfEmptyBody(sessions: Sessions): Promise<Post> {
  return async (path) => {
    const { url, method, headers } = post(path);
    headers.set('content-length', String(BODY.length));
    const body = new Blob([]).stream();
    return await sessions.handler(new Request(url, { method, headers, body, ...{ duplex: 'half' } }));
  };
}

const text = (request: Request) => request.text();
const lock = (request: Request) => void request.body?.getReader();

describe.each<[string, (sessions: Sessions) => Promise<Post>]>([
  ['Express', expressWith(drain)],
  ['Fastify', fastifyThatDrains],
  ['Hono, by c.req.raw', honoWith(text)],
  ['Hono, by a reader', honoWith(lock)],
  ['a fetch application', handlerAfter(text, true)],
  ['a fetch application, by a reader', handlerAfter(lock, true)],
  ['the handler itself', handlerAfter(text, false)],
  ['the handler itself, by a reader', handlerAfter(lock, false)],
  ['the handler itself, with an empty body of a length', handlerOfEmptyBody],
])('a body that was consumed and not parsed before %s', (_, serve) => {
  const logged: { readonly err?: { readonly message: string } }[] = [];
  let send: Post = () => expect.unreachable();

  beforeEach(async () => {
    logged.length = 0;
    const logger = { error: (fields: object) => void logged.push(fields) };
    send = await serve(sessionHost({ authOptions: { logger } }).sessions);
  });

  it('is told the developer, and not the client, where a log-in needs it', async () => {
    const response = await send('login');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
    expect(logged).toMatchObject([
      { err: { message: expect.stringMatching(/^The body has been read already: mount/) } },
    ]);
  });

  it('changes no answer of an endpoint that needs none', async () => {
    expect([(await send('status')).status, (await send('logout')).status]).toEqual([401, 204]);
    expect(logged).toEqual([]);
  });
});

describe.each<[string, RequestHandler]>([
  ['express.json()', express.json()],
  ['express.text()', express.text({ type: '*/*' })],
  ['express.raw()', express.raw({ type: '*/*' })],
])('a body that %s has parsed before Express', (_, parser) => {
  it('logs in, and ends in no 400 elsewhere', async () => {
    const send = await expressWith(parser)(sessionHost().sessions);
    const statuses = [];
    for (const path of ['login', 'status', 'logout']) statuses.push((await send(path)).status);
    expect(statuses).toEqual([200, 401, 204]);
  });
});
