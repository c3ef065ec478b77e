import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import fastify, { type FastifyServerOptions } from 'fastify';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import type { FetchHandler } from '../../src/http/fetch-handler.ts';
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
  readonly serve: (handler: FetchHandler) => Promise<Served>;
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
    async serve(handler) {
      const app = compose(mountInExpress(handler)).disable('x-powered-by');
      app.use((_, response) => void response.status(404).send('the host'));
      const report: express.ErrorRequestHandler = (error, _request, response, _next) => {
        response.status(error.status ?? 500).send(`host: ${error.message}`);
      };
      return listening(app.use(report));
    },
  }));
}

function onFastify(way: string, options: FastifyServerOptions, prefix: string, parses = false): Host {
  return {
    name: `Fastify 5 ${way}`,
    async serve(handler) {
      const app = fastify(options);
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

type ComposeHono = (api: ReturnType<typeof mountInHono>) => Hono;

const HONO_WAYS: [string, ComposeHono][] = [
  ['at the root', (api) => new Hono().use(api)],
  ['at its base path', (api) => new Hono().use(`${BASE}/*`, api)],
  ['in an app under a prefix', (api) => new Hono().route('/api', new Hono().basePath('/admin').use(api))],
  [
    'after c.req.json()',
    (api) =>
      new Hono()
        .use(async (c, next) => {
          await c.req.json().catch(() => {});
          await next();
        })
        .use(api),
  ],
];

function onHono(): Host[] {
  return HONO_WAYS.flatMap(([way, compose]) => {
    const appFor = (handler: FetchHandler) => {
      const app = compose(mountInHono(handler));
      app.notFound((c) => c.text('the host', 404));
      return app.onError((error, c) => c.text(`host: ${error.message}`, 500));
    };
    return [
      {
        name: `Hono 4 on Node ${way}`,
        serve: async (handler) => listening(getRequestListener(appFor(handler).fetch)),
      },
      {
        name: `Hono 4 app.request ${way}`,
        serve: async (handler) => {
          const app = appFor(handler);
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
export const ONE_PER_FRAMEWORK: readonly Host[] = HOSTS.filter(({ name }) => name.endsWith(' at the root'));

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
