import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { type PanelHost, servePanel } from '../../panel-host.ts';
import { expectFormKept, fillForm, URL_OF_HOOK } from '../form/filled-form.ts';

const API = '/api/admin/webhooks';
const STATUS = 'POST /api/admin/auth/status';

function count(host: PanelHost, request: string): number {
  return host.requests.filter((one) => one === request).length;
}

describe.skipIf(chromiumSkipped)('a session that ends', BROWSER_TIMEOUT, () => {
  it('is renewed at the status endpoint once, however many requests found it ended', async () => {
    const host = await servePanel({ webhook: { url: URL_OF_HOOK } });
    host.session = 'expired';
    const page = await openGuarded(`${host.url}/1`);
    await page.getByText('No deliveries yet').waitFor();
    expect(count(host, STATUS)).toBe(1);
    expect(page.url()).toBe(`${host.url}/1`);
  });

  it('leads to the log-in when it cannot be renewed, and back to the same place with what was entered', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?search=x&new=1`);
    await page.getByRole('dialog').waitFor();
    await fillForm(page);
    host.endSessionWith(`POST ${API}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.waitForURL(/\/admin\/login\?/);
    expect(count(host, STATUS)).toBe(2);
    expect(count(host, `POST ${API}`)).toBe(1);
    const returnTo = new URL(page.url()).searchParams.get('return_to') ?? '';
    expect(returnTo).toBe('/admin/webhooks?search=x&new=1');

    host.session = 'valid';
    await page.goto(host.origin + returnTo);
    await expectFormKept(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('You see this secret only now').waitFor();
    const stored = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(stored).not.toContain('whsec_');
    expect(stored).not.toContain('Typed with care');
  });
});
