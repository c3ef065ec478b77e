import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectAccessible, expectFineInEveryLook, openGuarded } from '../../guarded-page.ts';
import { DEAD, servePanel } from '../../panel-host.ts';

describe.skipIf(chromiumSkipped)('a selection', BROWSER_TIMEOUT, () => {
  it('of webhooks is paused and deleted after a dry run that says how many, across pages', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 22; n += 1) {
      await host.webhooks.create({ url: `http://127.0.0.1:9/${n}`, isActive: n !== 22 });
    }
    const page = await openGuarded(host.url);
    await page.getByLabel('Select page').check();
    await page.getByText('20 selected').waitFor();
    await expectFineInEveryLook(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Select http://127.0.0.1:9/1', { exact: true }).check();
    await page.getByText('21 selected').waitFor();
    await page.locator('thead input:indeterminate').waitFor();

    await host.webhooks.delete(21);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('19 webhooks would be paused').waitFor();
    await dialog.getByText('1 is paused already').waitFor();
    await dialog.getByText('1 is refused. This webhook no longer exists.').click();
    await dialog.getByText('http://127.0.0.1:9/21').waitFor();
    await expectFineInEveryLook(page);
    expect((await host.webhooks.get(1)).isActive).toBe(true);
    await dialog.getByRole('button', { name: 'Pause 19' }).click();
    await dialog.getByText('19 webhooks are paused').waitFor();
    expect(await dialog.getByRole('heading').innerText()).toBe('Result');
    // What it asked is answered.
    expect(await dialog.getByText('Pause the selected webhooks?').count()).toBe(0);
    await dialog.getByText('What was not done is still selected.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    expect((await host.webhooks.get(1)).isActive).toBe(false);
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => page.getByText('1 selected').count()).toBe(0);

    await page.getByLabel('Select http://127.0.0.1:9/1', { exact: true }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    await dialog.getByText('1 webhook would be deleted').waitFor();
    await dialog.getByText('This cannot be undone.').waitFor();
    await expectFineInEveryLook(page);
    await dialog.getByRole('button', { name: 'Delete 1' }).click();
    await dialog.getByText('1 webhook is deleted').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect(host.webhooks.get(1)).rejects.toThrow();
  });

  it('takes all that match in many requests, tells how far it is, and stops on demand', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 250; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/many/${n}` });
    await host.webhooks.create({ url: 'http://127.0.0.1:9/other' });
    const page = await openGuarded(`${host.url}?search=many`);
    await page.getByLabel('Select page').check();
    await page.getByRole('button', { name: 'Select all 250 that match' }).click();
    await page.getByText('250 selected').waitFor();
    expect(await page.getByRole('button', { name: /^Select all/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('250 webhooks would be paused').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let bulks = 0;
    await page.route('**/bulk', async (route) => {
      bulks += 1;
      if (bulks === 2) await held;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Pause 250' }).click();
    const progress = dialog.getByRole('progressbar', { name: 'Under way' });
    await expect.poll(() => progress.getAttribute('value')).toBe('100');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    release();
    await dialog.getByText('200 webhooks are paused').waitFor();
    await dialog.getByText('50 were not reached').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('50 selected').waitFor();
    expect((await host.webhooks.list({ active: false })).total).toBe(200);
  });

  it('keeps no row of what was deleted before it was stopped', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 130; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/${n}` });
    const page = await openGuarded(host.url);
    await page.getByLabel('Select page').check();
    await page.getByRole('button', { name: 'Select all 130 that match' }).click();
    await page.getByText('130 selected').waitFor();
    await page.getByLabel('Select http://127.0.0.1:9/130', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('129 webhooks would be deleted').waitFor();
    await page.route('**/bulk', async (route) => {
      await dialog.getByRole('button', { name: 'Stop' }).click();
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Delete 129' }).click();
    await dialog.getByText('29 were not reached').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('29 selected').waitFor();
    const rows = page.locator('tbody .row-link');
    await expect.poll(() => rows.allInnerTexts()).not.toContain('http://127.0.0.1:9/1');
    const left = new Set((await host.webhooks.list({ limit: 100 })).webhooks.map(({ url }) => url));
    await expect.poll(async () => (await rows.allInnerTexts()).filter((url) => !left.has(url))).toEqual([]);
    expect(await rows.count()).toBeGreaterThan(0);
  });

  it('says what was done before it was interrupted, and why the rest was not', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 130; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/${n}` });
    const page = await openGuarded(host.url);
    await page.getByLabel('Select page').check();
    await page.getByRole('button', { name: 'Select all 130 that match' }).click();
    await page.getByText('130 selected').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('130 webhooks would be paused').waitFor();
    let bulks = 0;
    await page.route('**/bulk', (route) => {
      bulks += 1;
      if (bulks === 1) return route.continue();
      return route.fulfill({ status: 503, json: { code: 'storage_unavailable' } });
    });
    await dialog.getByRole('button', { name: 'Pause 130' }).click();
    await dialog.getByText('100 webhooks are paused').waitFor();
    await dialog.getByText('30 are refused. The database does not answer').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('30 selected').waitFor();
    expect((await host.webhooks.list({ active: false })).total).toBe(100);
  });

  it('is counted anew after a failure, which may have come after some were done', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 3; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/${n}` });
    const page = await openGuarded(host.url);
    await page.getByLabel('Select page').check();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 webhooks would be paused').waitFor();
    await page.route('**/bulk', async (route) => {
      if (route.request().postDataJSON().dry_run) return route.continue();
      await host.webhooks.update(1, { isActive: false });
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Pause 3' }).press('Enter');
    await dialog.getByText('It may have been done all the same').waitFor();
    await dialog.getByText('2 webhooks would be paused').waitFor();
    await dialog.getByText('1 is paused already').waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Cancel');
    await page.unroute('**/bulk');
    await dialog.getByRole('button', { name: 'Pause 2' }).click();
    await dialog.getByText('2 webhooks are paused').waitFor();
  });

  it('takes all that match beside what was selected before', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 22; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/many/${n}` });
    for (let n = 1; n <= 21; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/more/${n}` });
    const page = await openGuarded(`${host.url}?search=many`);
    await page.getByText('Showing 1 to 20 of 22').waitFor();
    await page.getByLabel('Select page').check();
    await page.getByRole('button', { name: 'Select all 22 that match' }).click();
    await page.getByText('22 selected').waitFor();
    await page.getByRole('button', { name: 'Select all 22' }).waitFor({ state: 'detached' });
    await page.getByLabel('Search in URL, name, description and events').fill('more');
    await page.getByText('Showing 1 to 20 of 21').waitFor();
    await page.getByRole('button', { name: 'Select all 21 that match' }).click();
    await page.getByText('43 selected').waitFor();
    await page.getByRole('button', { name: /^Select all/ }).waitFor({ state: 'detached' });
    // What ends the selection of one of them offers it again.
    await page.locator('tbody .select-box').first().uncheck();
    await page.getByRole('button', { name: 'Select all 21 that match' }).waitFor();
  });

  it('ends by Escape and by nothing else: not by opening a delivery, nor by what happens meanwhile', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    for (let n = 0; n < 3; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/deliveries`);
    await page
      .getByLabel(/^Select user.deleted/)
      .first()
      .check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('link', { name: 'user.deleted' }).last().click();
    await page.getByText('Given up after 2 attempts.').waitFor();
    await page.goBack();
    await page.getByText('1 selected').waitFor();
    await host.deliver('user.updated', { id: 1 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: 'user.updated' }).waitFor();
    await page.getByText('1 selected').waitFor();
    // Escape closes the dialog first, and clears a text that is being typed.
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByText('1 delivery would be sent again').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByText('1 selected').waitFor();
    await page.getByLabel('Delivery id').press('Escape');
    await page.getByText('1 selected').waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('1 selected').count()).toBe(0);
  });

  it('does not cover the box that has the focus, and says how the keyboard gets to its actions', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 20; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/${n}` });
    for (const viewport of [
      { width: 1280, height: 500 },
      { width: 360, height: 740 },
    ]) {
      const page = await openGuarded(host.url, { viewport });
      const box = page.getByLabel('Select http://127.0.0.1:9/11', { exact: true });
      await box.waitFor();
      await box.evaluate((element) => element.scrollIntoView(false));
      await box.press('Space');
      const bar = page.getByRole('region', { name: 'Selection' });
      await bar.waitFor();
      await expect.poll(() => overlap(box, bar)).toBeLessThanOrEqual(0);
      expect(await bar.getByRole('status').innerText()).toBe(
        '1 selected (Shift+Tab from the table leads here)',
      );
      await page.keyboard.press('Tab');
      await expect.poll(() => overlap(page.locator(':focus'), bar)).toBeLessThanOrEqual(0);
    }
  });
});

/** By how many pixels the bottom of one is below the top of the other. */
async function overlap(upper: Locator, lower: Locator): Promise<number> {
  const [one, other] = [await upper.boundingBox(), await lower.boundingBox()];
  if (one === null || other === null) throw new Error('One of them is not shown');
  return one.y + one.height - other.y;
}
