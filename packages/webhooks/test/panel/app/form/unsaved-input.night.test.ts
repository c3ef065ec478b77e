import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const API = '/api/admin/webhooks';
const HOOK = 'http://127.0.0.1:9/hook';

const addForm = (page: Page) => page.getByRole('dialog', { name: 'Add webhook' });

describe.skipIf(chromiumSkipped)('what was entered into a form', BROWSER_TIMEOUT, () => {
  it('includes a pattern that was typed and not added', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    const form = addForm(page);
    await form.getByRole('textbox', { name: 'URL' }).fill(HOOK);
    await form.getByLabel('Only the events I choose').check();
    await form.getByRole('checkbox', { name: /^All role events/ }).check();
    const pattern = form.getByLabel('Another event or pattern');
    await pattern.fill('shop.*.sold');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await expect
      .poll(() => pattern.evaluate((field) => field === field.ownerDocument.activeElement))
      .toBe(true);
    expect(host.requests).not.toContain(`POST ${API}`);
    await pattern.fill('shop.*');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('You see this secret only now').waitFor();
    expect((await host.webhooks.get(1)).events).toEqual(['role.*', 'shop.*']);
  });

  it('keeps the chosen events on the way to all events and back', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    const form = addForm(page);
    await form.getByLabel('Only the events I choose').check();
    await form.getByRole('checkbox', { name: /^All role events/ }).check();
    await form.getByLabel('All events, those added later included').check();
    await form.getByLabel('Only the events I choose').check();
    await form.getByRole('button', { name: 'Remove role.*' }).waitFor();
  });

  it('may have been saved when its answer got lost, which is said, and seen in the list', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    await page.route(`**${API}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await addForm(page).getByRole('textbox', { name: 'URL' }).fill(HOOK);
    await addForm(page).getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('It may have been saved').waitFor();
    await page.getByText('look for it in the list').waitFor();
    expect(await page.getByText('It was not saved').count()).toBe(0);
    await page.getByRole('link', { name: HOOK, includeHidden: true }).waitFor({ state: 'attached' });
  });
});

describe.skipIf(chromiumSkipped)('a page of the panel', BROWSER_TIMEOUT, () => {
  it('past the end of the list leads to the last page', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 21; n += 1) await host.webhooks.create({ url: `${HOOK}/${n}` });
    const page = await openGuarded(`${host.url}?offset=400`);
    await page.getByText('Showing 21 to 21 of 21').waitFor();
    await page.getByRole('button', { name: `More actions for ${HOOK}/1`, exact: true }).click();
    await page.getByRole('button', { name: `Delete ${HOOK}/1`, exact: true }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('Showing 1 to 20 of 20').waitFor();
    expect(await page.getByText('No webhooks yet').count()).toBe(0);
  });

  it('of a webhook that was deleted elsewhere says so, and shows nothing of it', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(`${host.url}/1`);
    await page.getByRole('heading', { name: HOOK }).waitFor();
    await host.webhooks.delete(1);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('There is no such webhook').waitFor();
    expect(await page.getByText(HOOK).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
  });

  it('that an account may not see leads to the log-in, and offers nothing else', async () => {
    const host = await servePanel();
    host.session = 'unscoped';
    const page = await openGuarded(host.url);
    const link = page.getByRole('link', { name: 'Log in as somebody else' });
    expect(await link.getAttribute('href')).toBe('/admin/login?return_to=%2Fadmin%2Fwebhooks');
    expect(await page.getByRole('button', { name: 'Add webhook' }).count()).toBe(0);
    expect(await page.getByRole('search').count()).toBe(0);
    expect(host.requests).not.toContain('POST /api/admin/auth/status');
  });
});
