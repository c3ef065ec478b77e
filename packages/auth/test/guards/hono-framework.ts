import type { RequestListener } from 'node:http';
import { Hono, type MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import { cors } from 'hono/cors';
import { HONO_SERVERS } from '../../../toolkit/test/hono-servers.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { authErrorHandler } from '../../src/hono/auth-error-handler.ts';
import * as guards from '../../src/hono/guards.ts';
import { mountSessions } from '../../src/hono/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Application, Framework } from './framework.ts';

type OnHono = Framework<MiddlewareHandler>;

/** Touches the answer of Hono's context before anything of ours runs. */
const CORS: MiddlewareHandler = async (c, next) => {
  const headers = cors({ origin: (origin) => origin || '*', credentials: true });
  // It answers OPTIONS itself.
  if (c.req.method !== 'OPTIONS') return await headers(c, next);
  c.res.headers.set('x-touched', '1');
  await next();
};
const COOKIE: MiddlewareHandler = async (c, next) => {
  setCookie(c, 'host', '1');
  await next();
};

const ADAPTER: Omit<OnHono, 'start'> = {
  ...guards,
  injecting: (claims) => async (c, next) => {
    withClaims(c, claims);
    await next();
  },
};

function onServer(
  listener: (fetch: Hono['fetch']) => RequestListener,
  ...first: MiddlewareHandler[]
): OnHono {
  return {
    ...ADAPTER,
    async start(application) {
      const { origin, port } = await listen(listener(build(application, first).fetch));
      return { port, fetch: (path, init) => fetch(origin + path, init) };
    },
  };
}

/** Hono without a server, as its tests use it and as runtimes of the edge call it. */
function onNothing(...first: MiddlewareHandler[]): OnHono {
  return {
    ...ADAPTER,
    async start(application) {
      const app = build(application, first);
      return {
        port: undefined,
        fetch: async (path, init) => await app.request(new Request(`http://localhost${path}`, init)),
      };
    },
  };
}

export const onHonoServer: OnHono = onServer(HONO_SERVERS['2']);
export const onHonoAlone: OnHono = onNothing();

/** Hono on servers of Node's. */
export const ON_HONO_SERVERS: readonly [string, OnHono][] = [
  ['Hono 4 on Node', onHonoServer],
  ['Hono 4 on Node behind cors()', onServer(HONO_SERVERS['2'], CORS)],
  ['Hono 4 on Node behind a cookie', onServer(HONO_SERVERS['2'], COOKIE)],
  ['Hono 4 on Node behind a cookie and cors()', onServer(HONO_SERVERS['2'], COOKIE, CORS)],
  ['Hono 4 on node-server 1.19', onServer(HONO_SERVERS['1.19'])],
  ['Hono 4 on node-server 1.19 behind cors() and a cookie', onServer(HONO_SERVERS['1.19'], CORS, COOKIE)],
];

/** It lets an exception escape when a body is cancelled whose client goes on sending. */
export const ON_OLDEST_HONO_SERVER: readonly [string, OnHono][] = [
  ['Hono 4 on node-server 1.14', onServer(HONO_SERVERS['1.14'])],
  ['Hono 4 on node-server 1.14 behind cors() and a cookie', onServer(HONO_SERVERS['1.14'], CORS, COOKIE)],
];

export const ON_HONO_ALONE: readonly [string, OnHono][] = [
  ['Hono 4 without a server', onHonoAlone],
  ['Hono 4 without a server behind cors() and a cookie', onNothing(CORS, COOKIE)],
];

function build(
  { prefix, outer = [], routes = [], before = {}, mount, logger }: Application<MiddlewareHandler>,
  first: readonly MiddlewareHandler[],
): Hono {
  const app = new Hono();
  app.onError(authErrorHandler(() => new Response('of the host', { status: 500 }), { logger }));
  app.use(...first, async (c, next) => {
    for (const [name, value] of Object.entries(before)) c.header(name, value, { append: true });
    await next();
  });
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
