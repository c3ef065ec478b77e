import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from './guarded-page.ts';
import { servePanel } from './panel-host.ts';

/** Buttons that change nothing. */
const HARMLESS =
  /^(Refresh|All events|Like the system|Show|Copy|Older|Newer|Previous|Next|Explain|Close|Every event|\d|webhook\.test|user\.created|Who receives|Webhook$|Status$|Pending|None failed|Custom$|Event: |Error: |Webhook: )/;

async function start() {
  const recipient = await serveRecipient((_callback, response) => response.writeHead(500).end());
  const host = await servePanel({ readOnly: true, api: { readOnly: true } });
  return { host, recipient };
}

describe.skipIf(chromiumSkipped)('a read-only panel', BROWSER_TIMEOUT, () => {
  it('shows everything, says once that it is read-only, and offers no change', async () => {
    const { host, recipient } = await start();
    const { id } = await host.webhooks.create({ url: recipient.url });
    const { deliveryId } = await host.webhooks.test(id);
    await host.webhooks.drain();
    await host.webhooks.rotateSecret(id);
    const page = await openGuarded(host.url);
    for (const [path, shown] of [
      ['', recipient.url],
      [`/${id}?delivery=${deliveryId}`, 'Attempt 2: '],
      ['/deliveries', 'webhook.test'],
      ['/events', 'webhook.test'],
    ] as const) {
      await page.goto(host.url + path);
      await page.getByText(shown).first().waitFor();
      expect(await page.getByText(/^Read-only/).count()).toBe(1);
      const names = await page.getByRole('button').allInnerTexts();
      expect(names.filter((name) => name.trim() !== '' && !HARMLESS.test(name.trim()))).toEqual([]);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('button', { name: /^More actions/ }).count()).toBe(0);
      await expectAccessible(page);
    }
    expect(host.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
});
