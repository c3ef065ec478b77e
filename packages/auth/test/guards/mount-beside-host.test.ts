import 'reflect-metadata';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { All, Controller, Module, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import express from 'express';
import fastify from 'fastify';
import { type Context, Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HONO_SERVERS } from '../../../toolkit/test/hono-hosts.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions as onExpress } from '../../src/express/mount-sessions.ts';
import { mountSessions as onFastify } from '../../src/fastify/mount-sessions.ts';
import { mountSessions as onFetch } from '../../src/fetch/mount-sessions.ts';
import { mountSessions as onHono } from '../../src/hono/mount-sessions.ts';
import type { Sessions } from '../../src/sessions/sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

const AUTH = '/api/admin/auth';

/** A middleware that has begun the response, in a way of Node's. */
type Begin = (response: { flushHeaders(): void; write(text: string): unknown }) => void;
const nothing: Begin = () => {};

/** Starts an app with the sessions, and behind them a log-in of the host's own at `/sso`. */
type Start = (sessions: Sessions, begin: Begin) => Promise<string>;

const expressOf =
  (create: typeof express): Start =>
  async (sessions, begin) => {
    const app = create();
    app.use((_request, response, next) => {
      begin(response);
      next();
    });
    app.use(onExpress(sessions));
    app.use(
      AUTH,
      create.Router().post('/sso', (_request, response) => void response.send('of the host')),
    );
    // Not to the console.
    app.use((_error: unknown, _request: object, _response: object, _next: () => void) => {});
    return (await listen(app)).origin;
  };

class HostController {
  sso(_request: object): string {
    return 'of the host';
  }
}
const sso = Object.getOwnPropertyDescriptor(HostController.prototype, 'sso') ?? {};
Req()(HostController.prototype, 'sso', 0);
All('sso')(HostController.prototype, 'sso', sso);
Controller(AUTH)(HostController);
class HostModule {}
Module({ controllers: [HostController] })(HostModule);

const STARTS: Readonly<Record<string, Start>> = {
  'Express 5': expressOf(express),
  'Express 4': expressOf(createRequire(import.meta.url)('express4') as typeof express),
  async Fastify(sessions, begin) {
    const app = fastify();
    app.addHook('onRequest', async (_request, reply) => begin(reply.raw));
    void app.register(onFastify(sessions));
    app.post(`${AUTH}/sso`, async () => 'of the host');
    onTestFinished(async () => {
      app.server.closeAllConnections();
      await app.close();
    });
    return await app.listen({ port: 0, host: '127.0.0.1' });
  },
  async Hono(sessions, begin) {
    const app = new Hono();
    app.use(async (c, next) => {
      begin((c.env as { readonly outgoing: Parameters<Begin>[0] }).outgoing);
      await next();
    });
    app.use(onHono(sessions));
    app.post(`${AUTH}/sso`, (c: Context) => c.text('of the host'));
    app.onError(() => new Response('failed', { status: 500 }));
    return (await listen(HONO_SERVERS['2'](app.fetch))).origin;
  },
  async 'Nest over Express'(sessions, begin) {
    const app = await NestFactory.create(HostModule, new ExpressAdapter(), { logger: false });
    app.use((_request: object, response: Parameters<Begin>[0], next: () => void) => {
      begin(response);
      next();
    });
    app.use(onExpress(sessions));
    await app.listen(0, '127.0.0.1');
    onTestFinished(() => app.close());
    return await app.getUrl();
  },
  async 'Nest over Fastify'(sessions, begin) {
    const app = await NestFactory.create<NestFastifyApplication>(HostModule, new FastifyAdapter(), {
      logger: false,
    });
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', async (_request, reply) => begin(reply.raw));
    await app.register(onFastify(sessions));
    await app.listen(0, '127.0.0.1');
    onTestFinished(() => app.close());
    return await app.getUrl();
  },
};

describe.each(Object.keys(STARTS))('mountSessions on %s, beside what the host does', (name) => {
  const start: Start = (...given) => STARTS[name]?.(...given) ?? Promise.reject(new Error(name));

  it('leaves every path without an endpoint to the host, and its own wrong methods to none', async () => {
    const origin = await start(sessionHost().sessions, nothing);
    const own = await fetch(`${origin}${AUTH}/sso`, { method: 'POST' });
    expect([own.status, await own.text()]).toEqual([200, 'of the host']);
    for (const path of [`${AUTH}/unknown`, `${AUTH}/sessions7`, AUTH]) {
      const { status, headers } = await fetch(origin + path, { method: 'POST', body: '{}' });
      expect([path, status, headers.get('content-type')]).not.toEqual([
        path,
        404,
        'application/problem+json',
      ]);
      expect(status).toBe(404);
    }
    expect((await fetch(`${origin}${AUTH}/login`)).status).toBe(405);
    expect((await fetch(`${origin}${AUTH}/sessions/${'0'.repeat(32)}`, { method: 'DELETE' })).status).toBe(
      401,
    );
    // A page of the host's would read as a session that has ended.
    for (const id of ['ABC', '7', '', `${'0'.repeat(32)}/`]) {
      const { status, headers } = await fetch(`${origin}${AUTH}/sessions/${id}`, { method: 'DELETE' });
      expect([id, status, headers.get('content-type')]).toEqual([id, 404, 'application/problem+json']);
    }
  });

  it.each<[string, Begin]>([
    ['its headers are sent', (response) => response.flushHeaders()],
    ['a part of a body is written', (response) => response.write('a part ')],
  ])('fails before there is a session, and ends the response, where %s', async (_, begin) => {
    const host = sessionHost();
    const origin = await start(host.sessions, begin);
    const body = JSON.stringify({ login: '7', password: 'secret of 7' });
    const { accessToken, refreshToken } = await host.sessions.loginAs('7');
    const cookie = `access_token=${accessToken}; refresh_token=${refreshToken}`;
    await postBrokenOff(origin, 'login', '', body);
    await postBrokenOff(origin, 'status', `Cookie: ${cookie}\r\n`, '');
    await postBrokenOff(origin, 'logout', `Cookie: ${cookie}\r\n`, '');
    expect(host.sessions.stats()).toMatchObject({ loggedIn: 1, refreshed: 0, ended: 0 });
    expect((await host.sessions.list('7')).sessions).toHaveLength(1);
  });

  it('makes no session where the response is begun while the credentials are verified', async () => {
    let outgoing: Parameters<Begin>[0] | undefined;
    const host = sessionHost({
      verifyCredentials: async () => {
        outgoing?.flushHeaders();
        return { uid: '7' };
      },
    });
    const { refreshToken, sessionId } = await host.sessions.loginAs('7');
    const origin = await start(host.sessions, (response) => {
      outgoing = response;
    });
    await postBrokenOff(origin, 'login', `Cookie: refresh_token=${refreshToken}\r\n`, '{"login":"7"}');
    expect((await host.sessions.list('7')).sessions).toMatchObject([{ id: sessionId }]);
  });
});

/** Posts to an endpoint, and expects no cookie, and that the connection is broken off. */
async function postBrokenOff(origin: string, path: string, headers: string, body: string): Promise<void> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const head = `POST ${AUTH}/${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${body.length}`;
  socket.write(`${head}\r\n\r\n${body}`);
  await once(socket, 'close');
  expect(received).not.toContain('et-cookie: access_token');
  // The end of a body in chunks would say that it is whole. Without one, Node itself closes nothing.
  expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
}

describe('mountSessions in front of a fetch application', () => {
  it('leaves every path without an endpoint to the application', async () => {
    const app = onFetch(sessionHost().sessions)(() => new Response('of the host'));
    const ask = async (path: string) =>
      await (await app(new Request(`http://a${path}`, { method: 'POST' }))).text();
    expect([await ask(`${AUTH}/sso`), await ask(`${AUTH}/SSO/x`), await ask(AUTH)]).toEqual(
      Array(3).fill('of the host'),
    );
    expect(await ask(`${AUTH}/status`)).toContain('token_missing');
  });
});
