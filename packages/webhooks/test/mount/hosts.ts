import express, { type RequestHandler } from 'express';
import fastify, { type FastifyServerOptions } from 'fastify';
import { Hono } from 'hono';
import {
  express4,
  expressWith,
  type HeadersBefore,
  honoHeaders,
  type Served,
  serveFastify,
  serveListener,
} from '../../../toolkit/test/framework-hosts.ts';
import { HONO, HONO_ENDS, type HonoHost, OTHER_HONOS } from '../../../toolkit/test/hono-hosts.ts';
import type { FetchHandler } from '../../src/answer-request.ts';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { BASE } from '../admin/admin-harness.ts';

/**
 * One framework with one way to put a handler into it, in an app that answers every other path with
 * 404 `the host`, and errors with 500 `host: <message>`.
 */
export interface Host {
  readonly name: string;
  readonly serve: (handler: FetchHandler, before?: HeadersBefore) => Promise<Served>;
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
      return serveListener(expressWith(before, from).disable('x-powered-by').use(app.use(report)));
    },
  }));
}

function onFastify(way: string, options: FastifyServerOptions, prefix: string, parses = false): Host {
  return {
    name: `Fastify 5 ${way}`,
    async serve(handler, before = {}) {
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
      return serveFastify(app, before);
    },
  };
}

type ComposeHono = (app: Hono, api: ReturnType<typeof mountInHono>) => Hono;

const HONO_WAYS: [string, ComposeHono][] = [
  ['at the root', (app, api) => app.use(api)],
  ['at its base path', (app, api) => app.use(`${BASE}/*`, api)],
  ['in an app under a prefix', (app, api) => app.route('/api', new Hono().basePath('/admin').use(api))],
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

function onHono({ name, first, serve }: HonoHost): Host[] {
  return HONO_WAYS.map(([way, compose]) => ({
    name: `${name} ${way}`,
    async serve(handler, before = {}) {
      const app = compose(new Hono().use(...first, honoHeaders(before)), mountInHono(handler));
      app.notFound((c) => c.text('the host', 404));
      return serve(app.onError((error, c) => c.text(`host: ${error.message}`, 500)));
    },
  }));
}

const ON_FASTIFY: readonly Host[] = [
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
];

const atTheRoot = (hosts: readonly Host[]) => hosts.slice(0, 1);

/** Every way in the newest release of each framework. */
export const HOSTS: readonly Host[] = [...onExpress('5', express), ...ON_FASTIFY, ...onHono(HONO)];
/** One way in each: for what does not depend on where the handler is put. */
export const ONE_PER_FRAMEWORK: readonly Host[] = [
  ...atTheRoot(onExpress('5', express)),
  ...atTheRoot(ON_FASTIFY),
  ...atTheRoot(onHono(HONO)),
];
/** Hono's other releases and places, where the handler is put at the root. */
export const HONOS_AT_THE_ROOT: readonly Host[] = HONO_ENDS.flatMap((host) => atTheRoot(onHono(host)));

/** Every way in the other releases and places, and of these one way in each. */
export const OTHER_HOSTS: readonly Host[] = [...onExpress('4', express4), ...OTHER_HONOS.flatMap(onHono)];
export const ONE_PER_OTHER: readonly Host[] = [
  ...atTheRoot(onExpress('4', express4)),
  ...OTHER_HONOS.flatMap((host) => atTheRoot(onHono(host))),
];
