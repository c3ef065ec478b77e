import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import express4 from 'express4';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mount as mountInExpress } from '../../src/express/mount.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { listen } from '../http/loopback.ts';

const panel = createAdminPanel({ basePath: '/tools/hooks', apiPath: '/api/admin/webhooks' });

/** Each framework with the panel mounted, answering 418 to what is not the panel's. */
const FRAMEWORKS: Readonly<Record<string, () => Promise<string>>> = {
  'Express 5': async () => {
    const app = express().use(mountInExpress(panel));
    app.use((_request, response) => void response.status(418).end());
    return (await listen(app)).origin;
  },
  'Express 4': async () => {
    const app = express4().use(mountInExpress(panel));
    app.use((_request, response) => void response.status(418).end());
    return (await listen(app)).origin;
  },
  Fastify: async () => {
    const app = fastify();
    await app.register(mountInFastify(panel));
    app.setNotFoundHandler((_request, reply) => reply.code(418).send());
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  Hono: async () => {
    const app = new Hono().use(mountInHono(panel));
    app.notFound((context) => context.body(null, 418));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

describe.each(Object.entries(FRAMEWORKS))('in %s', (_name, start) => {
  it('the panel serves its pages and files, and leaves every other path to the host', async () => {
    const origin = await start();
    const page = await fetch(`${origin}/tools/hooks/7`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const path of files) {
      const file = await fetch(origin + path);
      expect(file.status).toBe(200);
      expect((await file.text()).length).toBeGreaterThan(100);
    }
    expect((await fetch(`${origin}/tools/hooks/assets/none.js`)).status).toBe(404);
    expect((await fetch(`${origin}/tools/hooks`, { method: 'POST' })).status).toBe(405);
    const head = await fetch(`${origin}/tools/hooks`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(`${origin}/tools/hooksx`)).status).toBe(418);
    expect((await fetch(`${origin}/tools`)).status).toBe(418);
  });
});
