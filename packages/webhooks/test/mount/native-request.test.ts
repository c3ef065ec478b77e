import type { RequestListener } from 'node:http';
import express from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { type Context, Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../toolkit/test/loopback.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { Authorize } from '../../src/admin/authorize.ts';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import type { AuthorizePortal } from '../../src/portal/portal-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';

interface User {
  readonly id: string;
}

const actorOf = (user: User | undefined) =>
  user ? { uid: user.id, tenant: 'acme', scopes: ['admin:webhooks', 'webhooks'] } : null;

/** APIs and pages that a session of the application opens, whose user its log-in put there. */
function handlers(authorize: Authorize & AuthorizePortal) {
  const webhooks = createWebhooks({ storage: memoryStorage() });
  return [
    createAdminApi(webhooks, { authorize }),
    createAdminPanel({ apiPath: '/api/admin/webhooks', loginUrl: '/log-in', authorize }),
    createPortalApi(webhooks, { authorize }),
  ] as const;
}

async function statusesOn(send: (path: string, headers: Record<string, string>) => Promise<Response>) {
  const statuses: number[] = [];
  for (const path of ['/api/admin/webhooks', '/admin/webhooks', '/api/webhooks']) {
    statuses.push((await send(path, { 'x-session': 'ada' })).status, (await send(path, {})).status);
  }
  return statuses;
}

async function listening(app: RequestListener) {
  const { origin } = await listen(app);
  return (path: string, headers: Record<string, string>) =>
    fetch(origin + path, { headers: { connection: 'close', ...headers }, redirect: 'manual' });
}

describe("the application's own log-in decides in one line", () => {
  it('by the user of an Express request', async () => {
    type Request = express.Request & { user?: User };
    const app = express();
    app.use((request: Request, _response, next) => {
      const id = request.get('x-session');
      if (id !== undefined) request.user = { id };
      next();
    });
    for (const handler of handlers((_, { user }: Request) => actorOf(user))) app.use(mountInExpress(handler));
    expect(await statusesOn(await listening(app))).toEqual([200, 401, 200, 303, 200, 401]);
  });

  it('by the session of a Fastify request', async () => {
    type Request = FastifyRequest & { session?: User };
    const app = fastify();
    app.addHook('onRequest', async (request: Request) => {
      const id = request.headers['x-session'];
      if (typeof id === 'string') request.session = { id };
    });
    for (const handler of handlers((_, { session }: Request) => actorOf(session))) {
      app.register(mountInFastify(handler));
    }
    onTestFinished(() => app.close());
    const send = async (url: string, headers: Record<string, string>) =>
      new Response(null, { status: (await app.inject({ url, headers })).statusCode });
    expect(await statusesOn(send)).toEqual([200, 401, 200, 303, 200, 401]);
  });

  it("by a variable of Hono's context", async () => {
    type Variables = { Variables: { user?: User } };
    const app = new Hono<Variables>();
    app.use(async (c, next) => {
      const id = c.req.header('x-session');
      if (id !== undefined) c.set('user', { id });
      await next();
    });
    for (const handler of handlers((_, c: Context<Variables>) => actorOf(c.get('user')))) {
      app.use(mountInHono(handler));
    }
    const send = async (path: string, headers: Record<string, string>) => app.request(path, { headers });
    expect(await statusesOn(send)).toEqual([200, 401, 200, 303, 200, 401]);
  });
});
