import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { openCompletely } from './open-completely.ts';
import { DEAD, servePanel } from './panel-host.ts';

const POLL_MS = 6_000;

describe.skipIf(chromiumSkipped)('an overview', BROWSER_TIMEOUT, () => {
  it('shows what happens elsewhere, in the list and on the page of a webhook', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient();
    const { id } = await host.webhooks.create({ url: recipient.url });
    const page = await openGuarded(host.url);
    await page.clock.install();
    await page.goto(host.url);
    await page.getByText('Updated just now').waitFor();
    await page.getByText('None yet').waitFor();
    await host.deliver('user.deleted', { id: 1 });
    await page.clock.runFor(POLL_MS);
    await page.getByRole('table').getByText('100%').waitFor();

    await page.goto(`${host.url}/${id}`);
    await page.getByRole('link', { name: 'user.deleted' }).waitFor();
    await page.getByText('Updated just now').waitFor();
    await host.deliver('user.updated', { id: 1 });
    await page.clock.runFor(POLL_MS);
    await page.getByRole('link', { name: 'user.updated' }).waitFor();
  });

  it('neither keeps a session alive nor leaves the page when it has ended', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(host.url);
    await page.clock.install();
    // A read of the opening page is the user's, and would renew the session.
    await openCompletely(page, host);
    host.session = 'expired';
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.clock.runFor(POLL_MS);
    await refused;
    await page.getByText(/^Your session has ended/).waitFor();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await page.clock.runFor(POLL_MS);
    await page.getByText(/Updated \d+ seconds ago/).waitFor();
    expect(host.requests).not.toContain('POST /api/admin/auth/status');
    // A user renews it.
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => host.requests).toContain('POST /api/admin/auth/status');
    expect(page.url()).toBe(host.url);
    await page.getByText(/^Your session has ended/).waitFor({ state: 'detached' });
  });
});
