import { once } from 'node:events';
import { connect } from 'node:http2';
import { Transform } from 'node:stream';
import fastify, { type FastifyPluginCallback } from 'fastify';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { FastifyMount } from '../../src/fastify/index.ts';
import { mount } from '../../src/fastify/mount.ts';

const echo = Object.assign(async (request: Request) => new Response(await request.text()), {
  basePath: '/api/admin/webhooks',
});

describe('mount in Fastify', () => {
  it('fits Fastify without a cast', () => {
    expectTypeOf<FastifyMount>().toExtend<FastifyPluginCallback>();
  });

  it('refuses what is no handler', () => {
    expect(() => mount(undefined as never)).toThrow(TypeError);
  });

  it.each(['/apis', '/api/admin/webhooks/deeper', '/api/admin/web'])(
    'refuses the prefix %s, which its path does not lie below, while the app starts',
    async (prefix) => {
      const app = fastify();
      app.register(mount(echo), { prefix });
      await expect(app.ready()).rejects.toThrow(/does not lie below the prefix/);
    },
  );

  it('closes a stream of HTTP/2 whose body was read in part', async () => {
    const readAndRefuse = async ({ body }: Request) => {
      await body?.getReader().read();
      return new Response('too large', { status: 413 });
    };
    const app = fastify({ http2: true });
    app.register(mount(Object.assign(readAndRefuse, { basePath: '/x' })));
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(origin);
    onTestFinished(async () => {
      client.destroy();
      await app.close();
    });
    const request = client.request({ ':method': 'POST', ':path': '/x' });
    request.resume().end(Buffer.alloc(300_000));
    const [headers] = await once(request, 'response');
    expect(headers[':status']).toBe(413);
    await once(request, 'close');
  });

  it('serves several handlers in one app, each at its own path', async () => {
    const handlerAt = (basePath: string) =>
      Object.assign(async ({ url }: Request) => new Response(`${basePath} ${new URL(url).pathname}`), {
        basePath,
      });
    const app = fastify();
    const paths = ['/api/admin/webhooks', '/admin/webhooks', '/admin'];
    for (const path of paths) app.register(mount(handlerAt(path)));
    for (const path of paths) {
      expect((await app.inject(path)).body).toBe(`${path} ${path}`);
      expect((await app.inject({ method: 'POST', url: `${path}/x` })).body).toBe(`${path} ${path}/x`);
    }
  });

  it('runs the hooks of the app, and leaves its parsers as they are', async () => {
    const app = fastify();
    app.addHook('onSend', async (_request, reply) => void reply.header('x-hook', 'ran'));
    app.register(mount(echo));
    app.post('/parsed', async (request) => request.body);
    const json = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: '{ "a": 1 }',
    } as const;
    const mounted = await app.inject({ ...json, url: '/api/admin/webhooks/x' });
    expect([mounted.body, mounted.headers['x-hook']]).toEqual(['{ "a": 1 }', 'ran']);
    expect((await app.inject({ ...json, url: '/parsed' })).body).toBe('{"a":1}');
    expect((await app.inject({ ...json, url: '/parsed', payload: '{' })).statusCode).toBe(400);
  });

  it('reads a body whatever its Content-Type, and shows that to the hooks of the app', async () => {
    const app = fastify();
    const seen: unknown[] = [];
    for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
      app.addHook(hook, async (request: { headers: Record<string, unknown> }) => {
        seen.push(request.headers['content-type']);
      });
    }
    app.register(mount(echo));
    const headers = { 'content-type': 'application' };
    const url = '/api/admin/webhooks/x';
    const posted = await app.inject({ method: 'POST', url, headers, payload: 'text' });
    expect([posted.statusCode, posted.body]).toEqual([200, 'text']);
    expect((await app.inject({ url, headers })).statusCode).toBe(200);
    expect(seen).toEqual(Array(8).fill('application'));
  });

  it('does not reach the handler where a hook of the app refuses', async () => {
    const app = fastify();
    app.addHook('preHandler', async (_request, reply) => await reply.code(403).send('no'));
    app.register(mount(echo));
    const refused = await app.inject({ method: 'POST', url: '/api/admin/webhooks', payload: 'x' });
    expect([refused.statusCode, refused.body]).toEqual([403, 'no']);
  });

  it('reads the body that a preParsing hook has put in the place of the request', async () => {
    const app = fastify();
    app.addHook('preParsing', async (_request, _reply, payload) => {
      const transform = new Transform({
        transform: (chunk, _encoding, done) => done(null, `${chunk}${chunk}`.toUpperCase()),
      });
      return payload.pipe(transform);
    });
    app.register(
      mount(async (request) => Response.json([await request.text(), [...request.headers.keys()]])),
    );
    const { body } = await app.inject({ method: 'POST', url: '/', payload: { a: 'b' } });
    const [text, headers] = JSON.parse(body);
    expect(text).toBe('{"A":"B"}{"A":"B"}');
    // It described the bytes before.
    expect(headers).not.toContain('content-length');
  });
});
