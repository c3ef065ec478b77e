import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { chromiumSkipped, sharedChromium } from '../../../../test/services/chromium.ts';
import { HONO_SERVERS } from '../../../toolkit/test/hono-hosts.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions as onExpress } from '../../src/express/mount-sessions.ts';
import { mountSessions as onFastify } from '../../src/fastify/mount-sessions.ts';
import { mountSessions as onHono } from '../../src/hono/mount-sessions.ts';
import { type SessionHost, sessionHost } from '../sessions/session-host.ts';

const load = createRequire(import.meta.url);
const GUIDE = readFileSync(new URL('../../../../docs/your-app.md', import.meta.url), 'utf8');

/** Runs the guide's line for a framework. */
function applyCors(framework: string, app: object, cors: unknown, origin: string): void {
  const row = rowsUnder(GUIDE, 'framework').find(([name]) => name?.startsWith(framework));
  const [code = ''] = codeSpansIn(row?.[1] ?? '');
  runInThisContext(`(app, cors, origin) => ${code}`)(app, cors, origin);
}

/** Serves the sessions to pages of another origin, and answers its own. */
type Serve = (sessions: SessionHost['sessions'], origin: string) => Promise<string>;

const SERVERS: Readonly<Record<string, Serve>> = {
  async Express(sessions, origin) {
    const app = express();
    applyCors('Express', app, load('cors'), origin);
    app.use(onExpress(sessions));
    return (await listen(app)).origin;
  },

  async Fastify(sessions, origin) {
    const app = fastify();
    applyCors('Fastify', app, load('@fastify/cors'), origin);
    void app.register(onFastify(sessions));
    onTestFinished(() => app.close());
    return await app.listen({ port: 0, host: '127.0.0.1' });
  },

  async Hono(sessions, origin) {
    const app = new Hono();
    applyCors('Hono', app, cors, origin);
    app.use(onHono(sessions));
    return (await listen(HONO_SERVERS['2'](app.fetch))).origin;
  },

  async Nest(sessions, origin) {
    class AppModule {}
    Module({})(AppModule);
    const app = await NestFactory.create(AppModule, new ExpressAdapter(), { logger: false });
    applyCors('Nest', app, undefined, origin);
    app.use(onExpress(sessions));
    await app.listen(0, '127.0.0.1');
    onTestFinished(() => app.close());
    return await app.getUrl();
  },
};

/** A host that refuses the log-ins of one name for 7 s. */
function throttlingHost(origin: string): SessionHost {
  return sessionHost({
    authOptions: { secureCookies: false, trustedOrigins: [origin] },
    beforeLogin: ({ login }) => login !== 'throttled' || { retryAfterSeconds: 7 },
  });
}

const THROTTLED = JSON.stringify({ login: 'throttled', password: 'x' });

describe('a page of another origin, by the CORS rules of the guide', () => {
  it.each(Object.entries(SERVERS))('is let in, and reads Retry-After: %s', async (_, serve) => {
    const page = 'http://127.0.0.1:5173';
    const origin = await serve(throttlingHost(page).sessions, page);
    const asked = { origin: page, 'access-control-request-method': 'DELETE' };
    const preflight = await fetch(`${origin}/api/admin/auth/sessions`, { method: 'OPTIONS', headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    const headers = { origin: page, 'content-type': 'application/json' };
    const login = { method: 'POST', headers, body: THROTTLED };
    const answer = await fetch(`${origin}/api/admin/auth/login`, login);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After');
    for (const { headers } of [preflight, answer]) {
      expect(headers.get('access-control-allow-origin')).toBe(page);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
    }
  });

  it.skipIf(chromiumSkipped)(
    'logs in, ends sessions and reads Retry-After in a browser',
    async () => {
      const context = await (await sharedChromium()).newContext();
      onTestFinished(() => context.close());
      const front = await listen((_request, response) => {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>');
      });
      const back = await SERVERS.Express?.(throttlingHost(front.origin).sessions, front.origin);
      const page = await context.newPage();
      await page.goto(front.origin);
      const ask = (method: string, path: string, body?: string) =>
        page.evaluate(
          async ([url, init]) => {
            const { status, headers } = await fetch(url, { ...init, credentials: 'include' });
            return [status, headers.get('retry-after')];
          },
          [
            `${back}/api/admin/auth${path}`,
            { method, headers: { 'content-type': 'application/json' }, ...(body !== undefined && { body }) },
          ] as const,
        );
      const right = JSON.stringify({ login: '7', password: 'secret of 7' });
      expect(await ask('POST', '/login', right)).toEqual([200, null]);
      expect(await ask('DELETE', '/sessions')).toEqual([200, null]);
      expect(await ask('POST', '/login', THROTTLED)).toEqual([429, '7']);
    },
    120_000,
  );
});
