import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible } from '../panel/guarded-page.ts';
import { openAs, startPortalHost } from './portal-host.ts';

describe.skipIf(chromiumSkipped)('the first visit of a customer', BROWSER_TIMEOUT, () => {
  it('is four steps to a webhook whose server answers, and the last ticks itself', async () => {
    const { host, recipient, answer } = await start();
    const page = await openAs('ada', host.url);
    await page.getByRole('heading', { name: 'Set up your first webhook' }).waitFor();
    // By what their API offers, which is asked once.
    expect(host.requests.filter((request) => /tenants|openapi/.test(request))).toEqual([
      'GET /api/webhooks/openapi.json',
    ]);
    // The steps are the one way to it.
    expect(await page.getByRole('button', { name: /Add/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ledger');
    await page.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
    await page.getByRole('button', { name: 'Continue' }).click();

    const secret = page.getByRole('dialog', { name: 'The webhook is registered' });
    await secret.getByText('You see this secret only now').waitFor();
    await secret.getByRole('tab', { name: 'Python' }).click();
    await secret.getByRole('button', { name: 'I have stored it' }).click();
    await expectTicks(page, 2);
    // The steps go on in the language whose code was shown beside the secret.
    await page.getByText('hmac.compare_digest').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'My server verifies requests' }).click();
    await expectTicks(page, 3);

    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Your server answered HTTP 500').waitFor();
    await expectAccessible(page);
    await page.reload();
    await expectTicks(page, 3);
    answer.status = 204;
    await page.getByRole('button', { name: 'Send another test event' }).click();
    await expectTicks(page, 4);
    await page.getByText('Your server has answered with 2xx').waitFor();
    await page.getByRole('link', { name: 'Go to the webhook' }).click();
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('button', { name: 'Add webhook' }).waitFor();
  });

  it('shows the secret once, and keeps it nowhere', async () => {
    const { host, recipient } = await start();
    const page = await openAs('ada', host.url);
    await page.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText();
    expect(secret.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expectTicks(page, 2);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
    );
    expect(kept).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await expectTicks(page, 2);
    expect(await page.content()).not.toContain(secret);
  });
});

/** A server of a customer that fails until it is told otherwise. */
async function start() {
  const answer = { status: 500 };
  const recipient = await serveRecipient((_callback, response) => response.writeHead(answer.status).end());
  return { host: await startPortalHost({ product: 'Example shop' }), recipient, answer };
}

async function expectTicks(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByRole('heading', { name: /^Done:/ }).count()).toBe(count);
}
