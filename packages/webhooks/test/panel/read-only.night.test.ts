import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { DEAD, servePanel } from './panel-host.ts';

async function start() {
  const recipient = await serveRecipient((_callback, response) => response.writeHead(500).end());
  const host = await servePanel({ readOnly: true, api: { readOnly: true } });
  return { host, recipient };
}

describe.skipIf(chromiumSkipped)('a read-only panel', BROWSER_TIMEOUT, () => {
  it('is one for as long as the API says so, whatever methods a gateway allows', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(`${host.url}/events`);
    let allow = 'GET, HEAD, OPTIONS';
    await page.route('**/api/admin/webhooks**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), allow } });
    });
    await page.goto(host.url);
    await page.getByText(/^Read-only/).waitFor();
    const add = page.getByRole('button', { name: 'Add webhook' });
    expect(await add.count()).toBe(0);
    allow = 'GET, POST, OPTIONS';
    await page.getByRole('button', { name: 'Refresh' }).click();
    await add.waitFor();
    expect(await page.getByText(/^Read-only/).count()).toBe(0);
  });

  it('opens no form from an address', async () => {
    const { host, recipient } = await start();
    const { id } = await host.webhooks.create({ url: recipient.url });
    const page = await openGuarded(`${host.url}?new=1`);
    for (const address of ['?new=1', `?edit=${id}`, `/${id}?edit=${id}`]) {
      await page.goto(host.url + address);
      await page.getByText(recipient.url).first().waitFor();
      await page.getByText(/^Updated/).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  });
});
