import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from '../../guarded-page.ts';
import { DEAD, servePanel } from '../../panel-host.ts';

describe.skipIf(chromiumSkipped)('a filter that is searched', BROWSER_TIMEOUT, () => {
  it.each(['/1', '/deliveries'])('takes what was found, or with Enter the first: %s', async (path) => {
    const host = await servePanel({ webhook: { url: DEAD } });
    await host.webhooks.dispatch('user.created', {});
    const page = await openGuarded(host.url + path);
    const opener = page.getByRole('button', { name: /^Event: / });
    const dialog = page.getByRole('dialog', { name: /^Event: / });
    await page.getByRole('link', { name: 'user.created' }).waitFor();
    await opener.press('Enter');
    await dialog.getByLabel('Event').fill('user.cr');
    await dialog.getByRole('button', { name: 'user.created' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'user.deleted' }).count()).toBe(0);
    await expectAccessible(page);
    await dialog.getByLabel('Event').press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => opener.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);

    await opener.press('Enter');
    await dialog.getByLabel('Event').fill('user.cr');
    await page.keyboard.press('Enter');
    await page.waitForURL(/event=user.created/);
    await page.getByRole('link', { name: 'user.created' }).waitFor();
    // An event of which nobody knows is one as well.
    await opener.click();
    await dialog.getByLabel('Event').fill('shop.sold');
    await page.keyboard.press('Enter');
    await page.waitForURL(/event=shop.sold/);
    await page.getByText('No delivery matches').waitFor();
    // So is a code, but not just any text.
    await page.getByRole('button', { name: /^Error: / }).click();
    const errors = page.getByRole('dialog', { name: /^Error: / });
    await errors.getByLabel('Error').fill('no such error');
    await errors.getByRole('status').getByText('Nothing matches.').waitFor();
    await expectAccessible(page);
    await errors.getByLabel('Error').fill('http_404');
    await errors.getByRole('button', { name: 'HTTP 404' }).click();
    await page.waitForURL(/error=http_404/);
  });

  it('takes nothing with Enter before the answer to what was typed is there', async () => {
    const host = await servePanel({ webhook: { url: 'http://127.0.0.1:9/billing' } });
    await host.webhooks.create({ url: 'http://127.0.0.1:9/newest' });
    const page = await openGuarded(`${host.url}/deliveries`);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/webhooks\?.*search=billing/, async (route) => {
      await held;
      await route.continue();
    });
    const dialog = page.getByRole('dialog', { name: /^Webhook: / });
    const found = dialog.getByRole('button', { name: '127.0.0.1' });
    await page.getByRole('button', { name: 'Webhook: All' }).click();
    await expect.poll(() => found.count()).toBe(2);
    const asked = page.waitForRequest(/search=billing/);
    await dialog.getByLabel('Webhook').fill('billing');
    await page.keyboard.press('Enter');
    await asked;
    await page.keyboard.press('Enter');
    expect(await found.count()).toBe(2);
    answer();
    await expect.poll(() => found.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/webhook=1$/);
  });
});
