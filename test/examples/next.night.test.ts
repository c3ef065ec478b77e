import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../readme/free-port.ts';
import { chromiumSkipped, launchChromium } from '../services/chromium.ts';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

describe('the example next', () => {
  let example: StartedExample;
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await createTestReceiver();
    example = await startExample('next');
  }, INSTALL_MS);
  afterAll(async () => {
    await receiver?.close();
    await example?.remove();
  });

  it.skipIf(chromiumSkipped)(
    'keeps the session of an open page, and leads to the log-in after it',
    { timeout: 240_000 },
    async () => {
      const browser = await launchChromium();
      try {
        const context = await browser.newContext({ baseURL: example.url });
        const page = await context.newPage();
        await page.clock.install();
        const polled = () =>
          page.waitForResponse((response) => response.url().endsWith('/api/admin/auth/status'));
        await page.goto('/');
        await page.waitForURL('/login?return_to=%2F');
        await page.fill('[name=login]', 'admin');
        await page.fill('[name=password]', example.password);
        const opened = polled();
        await page.click('[type=submit]');
        expect((await opened).status()).toBe(200);

        // The browser drops the cookie of the access token after five minutes.
        await context.clearCookies({ name: 'access_token' });
        const renewed = polled();
        await page.clock.runFor(60_000);
        expect((await renewed).status()).toBe(200);
        const names = (await context.cookies()).map(({ name }) => name);
        expect(names).toContain('access_token');
        await context.clearCookies({ name: 'access_token' });
        await page.click('text=Place an order');
        await page.getByText('Placed.').waitFor();

        const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
        await example.send('POST', '/api/admin/auth/logout', { cookie });
        await page.clock.runFor(60_000);
        await page.waitForURL('/login?return_to=%2F');
      } finally {
        await browser.close();
      }
    },
  );

  it('guards what it has, delivers what it dispatches, and ends', async () => {
    const { send } = example;
    expect((await send('POST', '/api/admin/orders')).status).toBe(401);
    expect((await send('GET', '/api/admin/webhooks')).status).toBe(401);
    expect(await (await send('GET', '/login')).text()).toContain('name="password"');
    const cookie = await example.logIn();
    const body = { url: receiver.url, events: ['order.*'] };
    const created = await send('POST', '/api/admin/webhooks', { cookie, body });
    const { secret }: { secret: string } = JSON.parse(await created.text());
    expect((await send('POST', '/api/admin/orders', { cookie })).status).toBe(201);
    const [request] = await receiver.received(1);
    expect([request?.event, request?.data]).toEqual(['order.created', { id: 7, by: '1' }]);
    await request?.verify(secret);
    expect(await (await send('GET', '/admin/webhooks')).text()).toContain('/login');
    await example.end();
  });

  it.each(['--turbopack', '--webpack'])(
    'builds, and answers the first request in development: %s',
    { timeout: 2 * INSTALL_MS },
    async (bundler) => {
      const { NODE_ENV: _, VITEST: __, ...inherited } = process.env;
      const env = {
        ...inherited,
        AUTH_SIGNING_KEY: randomBytes(32).toString('base64url'),
        ADMIN_PASSWORD: example.password,
        NEXT_TELEMETRY_DISABLED: '1',
      };
      const options = { cwd: example.folder, env };
      const next = join(example.folder, 'node_modules/next/dist/bin/next');
      execFileSync(process.execPath, [next, 'build', bundler], { ...options, stdio: 'pipe' });
      const port = await freePort();
      const server = ['--hostname', '127.0.0.1', '--port', String(port)];
      const dev = spawn(process.execPath, [next, 'dev', bundler, ...server], {
        ...options,
        stdio: 'ignore',
      });
      try {
        const ask = () => fetch(`http://127.0.0.1:${port}/api/admin/orders`, { method: 'POST' });
        // Refused until it listens. The first answer counts: what is broken answers 500.
        const { status } = await vi.waitFor(ask, { timeout: INSTALL_MS, interval: 100 });
        expect(status).toBe(401);
      } finally {
        dev.kill('SIGTERM');
        await once(dev, 'exit');
      }
    },
  );
});
