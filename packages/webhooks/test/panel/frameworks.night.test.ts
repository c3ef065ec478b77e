import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveFastify } from '../../../toolkit/test/framework-hosts.ts';
import { HONO } from '../../../toolkit/test/hono-hosts.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { FetchHandler } from '../../src/answer-request.ts';
import { mount as mountInFastify } from '../../src/fastify/mount.ts';
import { mount as mountInHono } from '../../src/hono/mount.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';

const onFastify = async (handlers: readonly FetchHandler[]) => {
  const app = fastify();
  for (const handler of handlers) app.register(mountInFastify(handler));
  return await serveFastify(app, {});
};

const onHono = async (handlers: readonly FetchHandler[]) => {
  const app = new Hono();
  for (const handler of handlers) app.use(mountInHono(handler));
  return await HONO.serve(app);
};

describe.skipIf(chromiumSkipped)('in a browser', BROWSER_TIMEOUT, () => {
  it.each([
    ['Fastify', onFastify],
    ['Hono', onHono],
  ])('%s serves the pages and their API, reads and changes alike', async (_name, serve) => {
    const recipient = await serveRecipient();
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
    });
    onTestFinished(() => webhooks.close());
    await webhooks.start();
    const apiPath = '/api/admin/webhooks';
    const authorize = () => ({ uid: '7', scopes: ['admin:webhooks'] });
    const { port } = await serve([createAdminApi(webhooks, { authorize }), createAdminPanel({ apiPath })]);
    const origin = `http://127.0.0.1:${port}`;
    const page = await openGuarded(`${origin}/admin/webhooks`);
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
  });
});
