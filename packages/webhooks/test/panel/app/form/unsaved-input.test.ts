import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const API = '/api/admin/webhooks';
const HOOK = 'http://127.0.0.1:9/hook';
const editForm = (page: Page) => page.getByRole('dialog', { name: 'Edit webhook' });

describe.skipIf(chromiumSkipped)('what was entered into a form', BROWSER_TIMEOUT, () => {
  it('is not written over what somebody else saves in the moment between look and save', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(`${host.url}/1`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await editForm(page).getByLabel('Description').fill('mine');
    const others = [{ events: ['role.*'] }, { description: 'theirs' }];
    await page.route(`**${API}/1`, async (route) => {
      const change = route.request().method() === 'PUT' ? others.shift() : undefined;
      if (change !== undefined) await host.webhooks.update(1, change);
      await route.continue();
    });
    await editForm(page).getByRole('button', { name: 'Save' }).click();
    await editForm(page).getByText('Description: theirs').waitFor();
    expect(await host.webhooks.get(1)).toMatchObject({ description: 'theirs', events: ['role.*'] });
    await editForm(page).getByRole('button', { name: 'Save' }).click();
    await editForm(page).waitFor({ state: 'detached' });
    expect(await host.webhooks.get(1)).toMatchObject({ description: 'mine', events: ['role.*'] });
  });
});
