import { once } from 'node:events';
import { connect } from 'node:http2';
import { Transform } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fastifyPlugin } from '../../src/mounts/fastify-plugin.ts';
import { toWebRequest } from '../../src/node-web/node-request.ts';
import { hastenTimers } from '../hastened-timers.ts';

const echo = async (request: Request) => new Response(await request.text());

function pluginAt(basePath: string | undefined, answer: (request: Request) => Promise<Response>) {
  return fastifyPlugin('mount', basePath, ({ raw }, extras) => answer(toWebRequest(raw, extras)));
}

describe('a plugin of Fastify', () => {
  it.each(['/apis', '/api/deeper', '/ap'])(
    'refuses the prefix %s, which its path does not lie below, while the app starts',
    async (prefix) => {
      const app = fastify();
      app.register(pluginAt('/api', echo), { prefix });
      await expect(app.ready()).rejects.toThrow(
        new TypeError(`mount: /api does not lie below the prefix ${prefix}`),
      );
    },
  );

  it("leaves what a lenient router takes for its path to the app's own answer", async () => {
    const app = fastify({ routerOptions: { caseSensitive: false } });
    app.register(pluginAt('/api', echo));
    app.setNotFoundHandler(async (_request, reply) => await reply.code(404).send('the host'));
    expect((await app.inject('/api/x')).statusCode).toBe(200);
    expect((await app.inject('/API/x')).body).toBe('the host');
  });

  it('closes a stream of HTTP/2 whose body was read in part', async () => {
    const readAndRefuse = async ({ body }: Request) => {
      await body?.getReader().read();
      return new Response('too large', { status: 413 });
    };
    const app = fastify({ http2: true });
    app.register(pluginAt('/x', readAndRefuse));
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

  it('closes a stream of HTTP/2 that was answered, and goes on sending', async () => {
    const app = fastify({ http2: true });
    app.register(pluginAt('/x', async () => new Response('no', { status: 401 })));
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(origin);
    onTestFinished(async () => {
      client.destroy();
      await app.close();
    });
    hastenTimers();
    const opened = once(app.server, 'stream');
    const request = client.request({ ':method': 'POST', ':path': '/x' });
    request.resume().write('x');
    const [stream] = await opened;
    await once(stream, 'close');
    expect(client.destroyed).toBe(false);
  });

  it('survives a stream of a hook that fails before it is read', async () => {
    const app = fastify();
    const streams = new WeakMap<object, Gunzip>();
    app.addHook('preParsing', async (request, _reply, payload) => {
      const stream = payload.pipe(createGunzip());
      streams.set(request, stream);
      return stream;
    });
    app.addHook('preHandler', async (request) => {
      const stream = streams.get(request);
      if (stream?.closed === false) await new Promise<void>((resolve) => stream.once('close', resolve));
    });
    app.register(pluginAt('/refused', async () => new Response('no', { status: 401 })));
    app.register(pluginAt('/read', async (request) => new Response(await request.text().catch(String))));
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => app.close());
    const post = (path: string) => fetch(origin + path, { method: 'POST', body: 'not gzip' });
    expect((await post('/refused')).status).toBe(401);
    expect(await (await post('/read')).text()).toMatch(/incorrect header check/);
  });

  it('runs the hooks of the app, and leaves its parsers as they are', async () => {
    const app = fastify();
    app.addHook('onSend', async (_request, reply) => void reply.header('x-hook', 'ran'));
    app.register(pluginAt('/api', echo));
    app.post('/parsed', async (request) => request.body);
    const json = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: '{ "a": 1 }',
    } as const;
    const mounted = await app.inject({ ...json, url: '/api/x' });
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
    app.register(pluginAt('/api', echo));
    const headers = { 'content-type': 'application' };
    const url = '/api/x';
    const posted = await app.inject({ method: 'POST', url, headers, payload: 'text' });
    expect([posted.statusCode, posted.body]).toEqual([200, 'text']);
    expect((await app.inject({ url, headers })).statusCode).toBe(200);
    expect(seen).toEqual(Array(8).fill('application'));
  });

  it('does not reach the handler where a hook of the app refuses', async () => {
    const app = fastify();
    app.addHook('preHandler', async (_request, reply) => await reply.code(403).send('no'));
    app.register(pluginAt('/api', echo));
    const refused = await app.inject({ method: 'POST', url: '/api', payload: 'x' });
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
      pluginAt(undefined, async (request) =>
        Response.json([await request.text(), [...request.headers.keys()]]),
      ),
    );
    const { body } = await app.inject({ method: 'POST', url: '/', payload: { a: 'b' } });
    const [text, headers] = JSON.parse(body);
    expect(text).toBe('{"A":"B"}{"A":"B"}');
    // It described the bytes before.
    expect(headers).not.toContain('content-length');
  });
});
