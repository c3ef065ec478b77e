import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { signedIn, startPortalHost } from '../portal/portal-host.ts';
import { heard, openFramed, startOwner } from './embedded-page.ts';
import { framingContract } from './framing-contract.ts';
import { BROWSER_TIMEOUT } from './guarded-page.ts';

// The panel has the same pages and scripts: at night.
describe.skipIf(chromiumSkipped)('a portal in the page of its host', BROWSER_TIMEOUT, () =>
  framingContract('portal'),
);

describe.skipIf(chromiumSkipped)('a session that ends in a frame', BROWSER_TIMEOUT, () => {
  it('is told to the page around it, and leads to the log-in outside of the frame', async () => {
    const owner = await startOwner();
    const look = { frameAncestors: [owner.origin], embed: true, loginUrl: '/login' };
    const { url } = await startPortalHost(look);
    const { page, frame } = await openFramed(owner.origin, { url, context: {} });
    const link = frame.getByRole('link', { name: 'Log in' });
    await link.waitFor();
    // Once: a page around it that is logged in to nothing that the API accepts would go in circles.
    await frame.goto(url);
    await link.waitFor();
    expect(await heard(page, 'session-ended')).toHaveLength(1);
    expect(frame.url()).toBe(url);
    const opened = page.waitForEvent('popup');
    await link.click();
    expect((await opened).url()).toBe(new URL('/login?return_to=%2Fwebhooks', url).href);
    await page.context().addCookies(signedIn('ada', url).cookies);
    await frame.getByRole('button', { name: 'Try again' }).click();
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await link.waitFor({ state: 'detached' });
  });
});
