import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { mount } from '../../src/hono/mount.ts';

describe('mount in Hono', () => {
  it('refuses what is no handler', () => {
    expect(() => mount(undefined as never)).toThrow(TypeError);
  });

  it('keeps the headers that a middleware before it has set', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      c.header('x-before', '1');
      await next();
      c.header('x-after', '2');
    });
    app.use(mount(async () => new Response('here', { status: 201, headers: { 'x-own': '3' } })));
    const response = await app.request('/');
    expect([response.status, await response.text()]).toEqual([201, 'here']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-before': '1',
      'x-after': '2',
      'x-own': '3',
    });
  });

  it('hands on a body that was read as what is left of it, without the headers of the bytes before', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.json();
      await next();
    });
    app.use(mount(async (request) => Response.json([await request.text(), [...request.headers.keys()]])));
    const body = '{ "a": [1] }';
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const response = await app.request('/', { method: 'POST', body, headers });
    const [text, names] = JSON.parse(await response.text());
    expect(JSON.parse(text)).toEqual({ a: [1] });
    expect(names).toEqual(['content-type']);
  });

  it('lets a handler fail that reads a body of which a middleware left nothing', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.raw.text();
      await next();
    });
    app.use(mount(async (request) => new Response(await request.text())));
    app.onError((error, c) => c.text(error.message, 500));
    const response = await app.request('/', { method: 'POST', body: 'x' });
    expect(await response.text()).toMatch(/^The body has been read already/);
  });
});
