import express from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { type Context, Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type Served, serveFastify } from '../../../toolkit/test/framework-hosts.ts';
import { HONO_SERVERS } from '../../../toolkit/test/hono-hosts.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import type { AuthorizePortal } from '../../src/portal/portal-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { engineOn, HOOK_URL } from './portal-harness.ts';

interface User {
  readonly id: string;
  readonly organisation: string;
}

const customerOf = (user: User | undefined) =>
  user ? { uid: user.id, tenant: user.organisation, scopes: ['webhooks'] } : null;

/** The session of a request: the log-in of each application here. */
const sessionOf = (text: unknown): User | undefined =>
  typeof text === 'string' ? { id: 'ada', organisation: text } : undefined;

const portal = (authorize: AuthorizePortal) => createPortalApi(engineOn(memoryStorage()), { authorize });

/** One customer registers and tests a webhook; another and a stranger find nothing of it. */
async function expectServed({ port }: Pick<Served, 'port'>): Promise<void> {
  const send = async (method: string, path: string, session?: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(session && { 'x-session': session }) };
    const response = await fetch(`http://127.0.0.1:${port}/api/webhooks${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  expect(await send('POST', '', 'acme', { url: HOOK_URL })).toMatchObject({ status: 201 });
  expect(await send('POST', '/1/test', 'acme')).toMatchObject({ status: 202 });
  expect(JSON.parse((await send('GET', '', 'acme')).text)).toMatchObject({ total: 1 });
  const theirs = await send('GET', '/1', 'globex');
  expect(theirs.status).toBe(404);
  expect(theirs).toEqual(await send('GET', '/7', 'globex'));
  expect(await send('GET', '')).toMatchObject({ status: 401 });
}

describe("customers' API over HTTP, behind the application's own log-in", () => {
  it('in Express', async () => {
    type Request = express.Request & { user?: User | undefined };
    const app = express();
    app.use((request: Request, _response, next) => {
      request.user = sessionOf(request.get('x-session'));
      next();
    });
    app.use(mountInExpress(portal((_, { user }: Request) => customerOf(user))));
    await expectServed(await listen(app));
  });

  it('in Fastify', async () => {
    type Request = FastifyRequest & { session?: User | undefined };
    const app = fastify();
    app.addHook('onRequest', async (request: Request) => {
      request.session = sessionOf(request.headers['x-session']);
    });
    app.register(mountInFastify(portal((_, { session }: Request) => customerOf(session))));
    await expectServed(await serveFastify(app, {}));
  });

  it('in Hono', async () => {
    type Variables = { Variables: { user: User | undefined } };
    const app = new Hono<Variables>();
    app.use(async (c, next) => {
      c.set('user', sessionOf(c.req.header('x-session')));
      await next();
    });
    app.use(mountInHono(portal((_, c: Context<Variables>) => customerOf(c.get('user')))));
    await expectServed(await listen(HONO_SERVERS['2'](app.fetch)));
  });
});
