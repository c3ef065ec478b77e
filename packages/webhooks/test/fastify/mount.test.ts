import fastify, { type FastifyPluginCallback } from 'fastify';
import { describe, expect, expectTypeOf, it } from 'vitest';
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
});
