import { Hono, type MiddlewareHandler } from 'hono';
import { honoHeaders } from '../../../toolkit/test/framework-hosts.ts';
import type { HonoHost } from '../../../toolkit/test/hono-hosts.ts';
import { authErrorHandler } from '../../src/hono/auth-error-handler.ts';
import * as guards from '../../src/hono/guards.ts';
import { mountSessions } from '../../src/hono/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Application, Framework } from './framework.ts';

const ADAPTER: Omit<Framework<MiddlewareHandler>, 'start'> = {
  ...guards,
  injecting: (claims) => async (c, next) => {
    withClaims(c, claims);
    await next();
  },
};

/** Hono's guards where it runs. */
export function onHono({ first, serve }: HonoHost): Framework<MiddlewareHandler> {
  return { ...ADAPTER, start: async (application) => await serve(build(application, first)) };
}

function build(
  { prefix, outer = [], routes = [], before = {}, mount, logger }: Application<MiddlewareHandler>,
  first: readonly MiddlewareHandler[],
): Hono {
  const app = new Hono();
  app.onError(authErrorHandler(() => new Response('of the host', { status: 500 }), { logger }));
  app.use(...first, honoHeaders(before));
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
