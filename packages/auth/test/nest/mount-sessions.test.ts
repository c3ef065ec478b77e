import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { Controller, Get, type INestApplication, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { mountSessions as mountInExpress } from '../../src/express/mount-sessions.ts';
import { mountSessions as mountInFastify } from '../../src/fastify/mount-sessions.ts';
import { AuthExceptionFilter } from '../../src/nest/auth-exception-filter.ts';
import { requireAuth } from '../../src/nest/guards.ts';
import { createSessions } from '../../src/sessions/create-sessions.ts';
import type { Sessions } from '../../src/sessions/sessions.ts';
import { memorySessionStore } from '../../src/sessions/store/memory-session-store.ts';

type Create = (module: object, sessions: Sessions) => Promise<INestApplication>;

const CREATE: readonly [string, Create][] = [
  [
    'Express',
    async (module, sessions) => {
      const app = await NestFactory.create(module, { logger: false });
      return app.use(mountInExpress(sessions));
    },
  ],
  [
    'Fastify',
    async (module, sessions) => {
      const adapter = new FastifyAdapter();
      const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false });
      await app.register(mountInFastify(sessions));
      return app;
    },
  ],
];

async function start(create: Create): Promise<string> {
  const auth = createAuth({ signingKey: randomBytes(32) });
  const sessions = createSessions({
    auth,
    store: memorySessionStore(),
    verifyCredentials: async ({ password }) => (password === 'right' ? { uid: '7' } : null),
    loadUser: async () => ({ scopes: ['admin'] }),
  });
  await sessions.start();
  class MeController {
    answer(): string {
      return 'reached';
    }
  }
  const method = Object.getOwnPropertyDescriptor(MeController.prototype, 'answer') ?? {};
  Get('me')(MeController.prototype, 'answer', method);
  UseGuards(requireAuth(auth))(MeController.prototype, 'answer', method);
  Controller('api/admin')(MeController);
  class AppModule {}
  Module({ controllers: [MeController] })(AppModule);
  const app = await create(AppModule, sessions);
  app.useGlobalFilters(new AuthExceptionFilter());
  await app.listen(0, '127.0.0.1');
  onTestFinished(() => app.close());
  return `${await app.getUrl()}/api/admin`;
}

describe.each(CREATE)('the sessions in Nest over %s', (_, create) => {
  it('log in, reach a guarded controller, and log out', async () => {
    const base = await start(create);
    const send = (path: string, method: string, cookie = '', body?: object) =>
      fetch(base + path, {
        method,
        headers: { connection: 'close', 'content-type': 'application/json', cookie },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await send('/me', 'GET')).status).toBe(401);
    const refused = await send('/auth/login', 'POST', '', { login: 'ada', password: 'wrong' });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
    const login = await send('/auth/login', 'POST', '', { login: 'ada', password: 'right' });
    expect([login.status, await login.json()]).toMatchObject([200, { uid: '7' }]);
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    const me = await send('/me', 'GET', cookie);
    expect([me.status, await me.text()]).toEqual([200, 'reached']);
    expect((await send('/auth/logout', 'POST', cookie)).status).toBe(204);
    expect((await send('/me', 'GET', cookie)).status).toBe(401);
  });
});
