import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { openAs, startPortalHost } from '../../../portal/portal-host.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { DEAD, servePanel } from '../../panel-host.ts';

const API = '/api/admin/webhooks';
const editForm = (page: Page) => page.getByRole('dialog', { name: 'Edit webhook' });

describe.skipIf(chromiumSkipped)('what was entered into a form', BROWSER_TIMEOUT, () => {
  it('is discarded only by somebody who says so', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(`${host.url}/deliveries`, { mayAsk: true });
    const asked: string[] = [];
    page.on('dialog', (dialog) => asked.push(dialog.type()));
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add webhook' });
    const url = form.getByRole('textbox', { name: 'URL' });
    const stay = form.getByRole('button', { name: 'Keep editing' });
    await url.fill('http://127.0.0.1:9/typed');
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await leave();
      await stay.click();
      expect(await url.inputValue()).toBe('http://127.0.0.1:9/typed');
    }
    await page.evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(new URL(page.url()).search).toBe('?new=1');

    await page.goBack();
    await form.getByRole('button', { name: 'Discard it' }).click();
    await page.waitForURL(/deliveries$/);
    await page.goForward();
    await url.waitFor();
    expect(await url.inputValue()).toBe('');
    await page.reload();
    expect(asked).toHaveLength(1);
  });

  it('is there again after a log-in, and not written over what somebody else saved meanwhile', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(`${host.url}/1`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await editForm(page).getByLabel('Description').fill('mine');
    await editForm(page).getByRole('textbox', { name: 'URL' }).fill(`${DEAD}/mine`);
    host.endSessionWith(`PUT ${API}/1`);
    await editForm(page).getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/login\?/);
    await host.webhooks.update(1, { description: 'theirs' });
    host.session = 'valid';
    await page.goto(host.origin + (new URL(page.url()).searchParams.get('return_to') ?? ''));
    await editForm(page).getByText('is here again').waitFor();
    await editForm(page).getByRole('button', { name: 'Save' }).click();
    await editForm(page).getByText('Description: theirs').waitFor();
    expect(await host.webhooks.get(1)).toMatchObject({ description: 'theirs', url: DEAD });
    await editForm(page).getByRole('button', { name: 'Take theirs' }).click();
    expect(await editForm(page).getByLabel('Description').inputValue()).toBe('theirs');
    await editForm(page).getByRole('button', { name: 'Save' }).click();
    await editForm(page).waitFor({ state: 'detached' });
    expect(await host.webhooks.get(1)).toMatchObject({ description: 'theirs', url: `${DEAD}/mine` });
    expect(new URL(page.url()).search).not.toContain('edit');
  });

  it('is not written over what somebody else saves in the moment between look and save', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
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

  it('asks on the page of the first webhook, too', async () => {
    const { url } = await startPortalHost();
    const page = await openAs('ada', url);
    await page.getByRole('textbox', { name: 'URL' }).fill(DEAD);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(page.url()).toBe(url);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    await page.waitForURL(/deliveries$/);
  });
});
