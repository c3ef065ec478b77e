import type { RequestListener } from 'node:http';
import type { Hono, MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import { cors } from 'hono/cors';
import { onTestFinished } from 'vitest';
import { type Served, serveListener } from './framework-hosts.ts';

type Fetch = (request: Request) => Response | Promise<Response>;
/** What is used of a release of `@hono/node-server`. */
interface NodeServer {
  readonly getRequestListener: (fetch: Fetch) => RequestListener;
}

/**
 * Each release keeps the globals that it finds when it is loaded, and puts its own in their place:
 * `fetch` then, `Request` and `Response` with the first listener. They are those of Node again for
 * the next release, and for the next test.
 */
const ofNode = { Request: builtIn(Request), Response: builtIn(Response), fetch };

function builtIn<T extends object>(replaced: T): T {
  const base: unknown = Object.getPrototypeOf(replaced);
  return base === Function.prototype ? replaced : builtIn(base as T);
}

async function loaded(load: () => Promise<unknown>): Promise<(fetch: Fetch) => RequestListener> {
  Object.assign(globalThis, ofNode);
  const { getRequestListener } = (await load()) as NodeServer;
  Object.assign(globalThis, ofNode);
  return (fetch) => {
    Object.assign(globalThis, ofNode);
    onTestFinished(() => void Object.assign(globalThis, ofNode));
    return getRequestListener(fetch);
  };
}

/** Listeners of Node's for an application of Hono, by the release of `@hono/node-server`. */
export const HONO_SERVERS = {
  '2': await loaded(() => import('@hono/node-server')),
  '1.19': await loaded(() => import('hono-node-server-1.19')),
  '1.14': await loaded(() => import('hono-node-server-1.14')),
} as const;

/** Hono where it runs, with what touches the answer of its context before anything of ours. */
export interface HonoHost {
  readonly name: string;
  readonly first: readonly MiddlewareHandler[];
  /** The release of `@hono/node-server`; absent where no server is involved. */
  readonly release: keyof typeof HONO_SERVERS | undefined;
  readonly serve: (app: Hono) => Promise<Served>;
}

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

/** What an application of Hono has used before, by what it does to the answer. */
const SHAPES: readonly (readonly [string, ...MiddlewareHandler[]])[] = [
  [''],
  [' behind cors()', CORS],
  [' behind a cookie', COOKIE],
  [' behind a cookie and cors()', COOKIE, CORS],
];

/** Without a server, as its tests use Hono and as runtimes of the edge call it. */
const serveAlone = async (app: Hono): Promise<Served> => ({
  port: undefined,
  fetch: async (target, init) => await app.request(new Request(`http://localhost${target}`, init)),
});

const hostsOf = (place: string, release: HonoHost['release']): HonoHost[] =>
  SHAPES.map(([shape, ...first]) => ({
    name: `Hono 4 ${place}${shape}`,
    first,
    release,
    serve: release ? (app) => serveListener(HONO_SERVERS[release](app.fetch)) : serveAlone,
  }));

const HONO_HOSTS = [
  ...hostsOf('on Node', '2'),
  ...hostsOf('on node-server 1.19', '1.19'),
  ...hostsOf('on node-server 1.14', '1.14'),
  ...hostsOf('without a server', undefined),
];

/** Hono as most applications have it. */
export const HONO: HonoHost = HONO_HOSTS[0] as HonoHost;
/** Every other one. */
export const OTHER_HONOS: readonly HonoHost[] = HONO_HOSTS.slice(1);
/** Of these, the ends: each release without anything before, and behind what touches an answer most. */
export const HONO_ENDS: readonly HonoHost[] = OTHER_HONOS.filter(
  ({ first }) => first.length === 0 || first.length === 2,
);
