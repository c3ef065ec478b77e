import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { listen } from '../../../toolkit/test/loopback.ts';
import { authErrorHandler } from '../../src/hono/auth-error-handler.ts';
import * as guards from '../../src/hono/guards.ts';
import { mountSessions } from '../../src/hono/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Application, Framework } from './framework.ts';

const onHono: Omit<Framework<MiddlewareHandler>, 'start'> = {
  ...guards,
  injecting: (claims) => async (c, next) => {
    withClaims(c, claims);
    await next();
  },
};

/** Hono on a server of Node's. */
export const onHonoServer: Framework<MiddlewareHandler> = {
  ...onHono,
  async start(application) {
    const { origin, port } = await listen(getRequestListener(build(application).fetch));
    return { port, fetch: (path, init) => fetch(origin + path, init) };
  },
};

/** Hono without a server, as its tests use it and as runtimes of the edge call it. */
export const onHonoAlone: Framework<MiddlewareHandler> = {
  ...onHono,
  async start(application) {
    const app = build(application);
    return {
      port: undefined,
      fetch: async (path, init) => await app.request(new Request(`http://localhost${path}`, init)),
    };
  },
};

function build({ prefix, outer = [], routes = [], mount, logger }: Application<MiddlewareHandler>): Hono {
  const app = new Hono();
  app.onError(authErrorHandler(() => new Response('of the host', { status: 500 }), { logger }));
  if (mount?.afterBodyParser) {
    app.use(async (c, next) => {
      if (c.req.header('content-type') === 'application/json') await c.req.json().catch(() => {});
      return await next();
    });
  }
  if (mount?.at === 'root') app.use(mountSessions(mount.sessions));
  if (mount?.at === 'its own path') app.all(`${prefix}/auth/*`, mountSessions(mount.sessions));
  const below = new Hono();
  for (const guard of outer) below.use(guard);
  for (const { path, guards, answer } of routes) {
    for (const guard of guards) below.all(path, guard);
    below.all(path, (c) => Response.json(answer(() => claimsOf(c))));
  }
  app.route(prefix === '' ? '/' : prefix, below);
  return app;
}
