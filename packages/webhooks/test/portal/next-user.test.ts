import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT } from '../panel/guarded-page.ts';
import { logInAs, openAs, startPortalHost } from './portal-host.ts';

const TYPED = 'http://127.0.0.1:9999/typed';
const HOOK = 'http://127.0.0.1:9999/hook';

describe.skipIf(chromiumSkipped)('the next user in a tab of the portal', BROWSER_TIMEOUT, () => {
  it('finds nothing that another entered, before a log-in of somebody else', async () => {
    const host = await startPortalHost({ loginUrl: '/login' });
    await host.webhooks.forTenant('acme').create({ url: HOOK });
    await host.webhooks.forTenant('globex').create({ url: HOOK });
    const page = await openAs('ada', `${host.url}?new=1&search=hook`);
    await urlField(page).fill(TYPED);
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.waitForURL(/\/login\?/);
    expect(await stored(page)).toContain('typed');

    await logInAs(page, 'grace');
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/webhooks**', async (route) => {
      await answered;
      await route.fallback();
    });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(`${host.url}?new=1`);
    // Until an answer says whose page it is, the form is not even loaded.
    await page.getByLabel('Colour scheme').waitFor();
    expect(loaded.filter((script) => script.includes('create-dialog'))).toEqual([]);
    answer();
    await expect.poll(() => stored(page)).not.toMatch(/typed|search/);
    await urlField(page).waitFor();
    expect(await urlField(page).inputValue()).toBe('');
  });

  it('does not see the page of another go on', async () => {
    const host = await startPortalHost();
    await host.webhooks.forTenant('acme').create({ url: HOOK, name: 'Of acme' });
    await host.webhooks.forTenant('globex').create({ url: HOOK, name: 'Of globex' });
    const page = await openAs('ada', host.url);
    await page.getByText('Of acme').first().waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await urlField(page).fill(TYPED);
    await logInAs(page, 'grace');
    await page.getByText('Of globex').first().waitFor();
    await urlField(page).waitFor();
    expect(await urlField(page).inputValue()).toBe('');
    expect(await stored(page)).not.toContain('typed');
  });

  it('has nothing changed that the page of another asks for', async () => {
    const host = await startPortalHost();
    await host.webhooks.forTenant('acme').create({ url: HOOK, name: 'Of acme' });
    const page = await openAs('ada', host.url);
    await page.getByText('Of acme').first().waitFor();
    // No poll notices first.
    await page.route(/\/webhooks\/changes/, (route) => route.abort());
    const answers: number[] = [];
    page.on('response', (response) => answers.push(response.status()));
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await urlField(page).fill(TYPED);
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^All events/ })
      .check();
    await logInAs(page, 'grace');
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    // The page begins anew, as that of the user who has logged in.
    await page.getByText('Of acme').first().waitFor({ state: 'detached' });
    expect(answers).toContain(409);
    expect((await host.webhooks.forTenant('globex').list()).webhooks).toEqual([]);
  });
});

function urlField(page: Page) {
  return page.getByRole('dialog').getByRole('textbox', { name: 'URL' });
}

function stored(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify({ ...sessionStorage })');
}
