import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import fastify from 'fastify';
import { Hono } from 'hono';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { FetchHandler } from '../../src/answer-request.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { startRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';

let browser: Browser;

type Serve = (handlers: readonly FetchHandler[]) => Promise<Server>;

const onFastify: Serve = async (handlers) => {
  const app = fastify();
  for (const handler of handlers) app.register(mountInFastify(handler));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server;
};

const onHono: Serve = async (handlers) => {
  const app = new Hono();
  for (const handler of handlers) app.use(mountInHono(handler));
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
};

describe.skipIf(chromiumSkipped)('in a browser', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each([
    ['Fastify', onFastify],
    ['Hono', onHono],
  ])('%s serves the pages and their API, reads and changes alike', async (_name, serve) => {
    const recipient = await startRecipient();
    onTestFinished(() => recipient.close());
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
    });
    onTestFinished(() => webhooks.close());
    await webhooks.start();
    const apiPath = '/api/admin/webhooks';
    const authorize = () => ({ uid: '7', scopes: ['admin:webhooks'] });
    const server = await serve([createAdminApi(webhooks, { authorize }), createAdminPanel({ apiPath })]);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });

    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { page, expectClean } = await openGuarded(browser, `${origin}/admin/webhooks`);
    await page.getByRole('button', { name: 'Add your first webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add webhook' });
    await form.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    expect(recipient.received).toHaveLength(1);
    // The delivery is open over the page.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect((await webhooks.list()).total).toBe(0);
    await expectClean();
  });
});
