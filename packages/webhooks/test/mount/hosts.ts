import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import fastify, { type FastifyServerOptions } from 'fastify';
import { Hono, type MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import { cors } from 'hono/cors';
import { onTestFinished } from 'vitest';
import { HONO_SERVERS } from '../../../toolkit/test/hono-servers.ts';
import type { FetchHandler } from '../../src/answer-request.ts';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { BASE } from '../admin/admin-harness.ts';

// Version 4 under a name of its own has no declarations; what is used here is the same.
const express4: typeof express = createRequire(import.meta.url)('express4');

/**
 * A handler inside an app that answers every other path with 404 `the host`, and errors with 500
 * `host: <message>`.
 */
export interface Served {
  /** Sends to a target such as `/api?x=1`. */
  readonly send: (target: string, init?: RequestInit) => Promise<Response>;
  /** Where it listens; undefined where no socket is involved. */
  readonly port: number | undefined;
}

/** One framework with one way to put a handler into it. */
export interface Host {
  readonly name: string;
  /** @param before headers that a middleware of the host sets on every answer before the handler */
  readonly serve: (handler: FetchHandler, before?: Readonly<Record<string, string>>) => Promise<Served>;
}

function onExpress(version: string, from: typeof express): Host[] {
  const ways: [string, (api: RequestHandler) => express.Express][] = [
    ['at the root', (api) => from().use(api)],
    ['at its base path', (api) => from().use(BASE, api)],
    ['in a router under a prefix', (api) => from().use('/api', from.Router().use('/admin', api))],
    ['after express.json()', (api) => from().use(from.json()).use(api)],
    [
      'after express.json() for any type',
      (api) =>
        from()
          .use(from.json({ type: () => true }))
          .use(api),
    ],
    [
      'after express.json() with a limit',
      (api) =>
        from()
          .use(from.json({ limit: '80kb' }))
          .use(api),
    ],
    [
      'after express.raw()',
      (api) =>
        from()
          .use(from.raw({ type: 'application/json' }))
          .use(api),
    ],
    [
      'after express.text()',
      (api) =>
        from()
          .use(from.text({ type: 'application/json' }))
          .use(api),
    ],
    [
      'after express.urlencoded()',
      (api) =>
        from()
          .use(from.urlencoded({ extended: false }))
          .use(api),
    ],
  ];
  return ways.map(([way, compose]) => ({
    name: `Express ${version} ${way}`,
    async serve(handler, before = {}) {
      const app = compose(mountInExpress(handler)).disable('x-powered-by');
      app.use((_, response) => void response.status(404).send('the host'));
      const report: express.ErrorRequestHandler = (error, _request, response, _next) => {
        response.status(error.status ?? 500).send(`host: ${error.message}`);
      };
      const first: RequestHandler = (_request, response, next) => {
        response.set(before);
        next();
      };
      return listening(from().disable('x-powered-by').use(first, app.use(report)));
    },
  }));
}

function onFastify(way: string, options: FastifyServerOptions, prefix: string, parses = false): Host {
  return {
    name: `Fastify 5 ${way}`,
    async serve(handler, before = {}) {
      const app = fastify(options);
      app.addHook('onRequest', async (_request, reply) => {
        reply.headers(before);
      });
      if (parses) {
        app.addContentTypeParser('application/json', { parseAs: 'string' }, async () => ({
          parsed: 'by the app',
        }));
      }
      app.register(mountInFastify(handler), prefix === '' ? {} : { prefix });
      app.setNotFoundHandler(async (_request, reply) => await reply.code(404).send('the host'));
      app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
        return await reply.code(error.statusCode ?? 500).send(`host: ${error.message}`);
      });
      await app.listen({ host: '127.0.0.1', port: 0 });
      onTestFinished(() => {
        app.server.closeAllConnections();
        return app.close();
      });
      return served(app.server);
    },
  };
}

/** What touches the answer of Hono's context before the handler runs. */
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

type ComposeHono = (app: Hono, api: ReturnType<typeof mountInHono>) => Hono;

const HONO_WAYS: [string, ComposeHono][] = [
  ['at the root', (app, api) => app.use(api)],
  ['at its base path', (app, api) => app.use(`${BASE}/*`, api)],
  ['in an app under a prefix', (app, api) => app.route('/api', new Hono().basePath('/admin').use(api))],
  ['behind cors()', (app, api) => app.use(CORS, api)],
  ['behind a cookie', (app, api) => app.use(COOKIE, api)],
  ['behind a cookie and cors()', (app, api) => app.use(COOKIE, CORS, api)],
  [
    'after c.req.json()',
    (app, api) =>
      app
        .use(async (c, next) => {
          await c.req.json().catch(() => {});
          await next();
        })
        .use(api),
  ],
];

function onHono(): Host[] {
  return HONO_WAYS.flatMap(([way, compose]) => {
    const appFor = (handler: FetchHandler, before: Readonly<Record<string, string>> = {}) => {
      const first: MiddlewareHandler = async (c, next) => {
        for (const [name, value] of Object.entries(before)) c.header(name, value, { append: true });
        await next();
      };
      const app = compose(new Hono().use(first), mountInHono(handler));
      app.notFound((c) => c.text('the host', 404));
      return app.onError((error, c) => c.text(`host: ${error.message}`, 500));
    };
    return [
      {
        name: `Hono 4 on Node ${way}`,
        serve: async (handler, before) => listening(HONO_SERVERS['2'](appFor(handler, before).fetch)),
      },
      {
        name: `Hono 4 on node-server 1.19 ${way}`,
        serve: async (handler, before) => listening(HONO_SERVERS['1.19'](appFor(handler, before).fetch)),
      },
      {
        name: `Hono 4 on node-server 1.14 ${way}`,
        serve: async (handler, before) => listening(HONO_SERVERS['1.14'](appFor(handler, before).fetch)),
      },
      {
        name: `Hono 4 app.request ${way}`,
        serve: async (handler, before) => {
          const app = appFor(handler, before);
          return { port: undefined, send: async (target, init) => app.request(target, init) };
        },
      },
    ] satisfies Host[];
  });
}

export const HOSTS: readonly Host[] = [
  ...onExpress('5', express),
  ...onExpress('4', express4),
  onFastify('at the root', {}, ''),
  onFastify('under a prefix', {}, '/api/admin'),
  onFastify('at its base path', {}, BASE),
  onFastify('with a small body limit', { bodyLimit: 10 }, ''),
  onFastify(
    'with a lenient router',
    { routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } },
    '',
  ),
  onFastify('with a JSON parser of the app', {}, '', true),
  ...onHono(),
];

/** One way in each framework: for what does not depend on where the handler is put. */
export const ONE_PER_FRAMEWORK: readonly Host[] = HOSTS.filter(({ name }) =>
  / at the root$|behind/.test(name),
);

async function listening(listener: RequestListener): Promise<Served> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return served(server);
}

function served(server: Server): Served {
  const { port } = server.address() as AddressInfo;
  return { port, send: (target, init) => fetch(`http://127.0.0.1:${port}${target}`, init) };
}
