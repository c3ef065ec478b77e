import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { signedIn, startPortalHost } from '../portal/portal-host.ts';
import { heard, type Look, openFramed, startLook as start, startOwner } from './embedded-page.ts';
import { BROWSER_TIMEOUT } from './guarded-page.ts';

// The panel has the same pages and scripts.
describe.skipIf(chromiumSkipped)('a portal in the page of its host', BROWSER_TIMEOUT, () => {
  it('tells the page around it its height and its place, and goes where that says', async () => {
    const owner = await startOwner();
    const host = await start({ frameAncestors: [owner.origin], embed: true });
    await host.administration.create({ url: 'http://127.0.0.1:9999/orders' });
    const { page, frame } = await openFramed(owner.origin, host);
    await frame.getByText('/orders').waitFor();
    expect(await frame.getByRole('banner').count()).toBe(0);
    await expect.poll(() => heard(page, 'route')).toContainEqual('/');
    const height = () => frame.evaluate<number>('Math.ceil(document.body.getBoundingClientRect().height)');
    await expect.poll(async () => (await heard(page, 'height')).at(-1)).toBe(await height());
    await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
    await frame.getByRole('heading', { name: 'Events', exact: true }).waitFor();
    await expect.poll(() => heard(page, 'route')).toContainEqual('/events');
    // A text with an escape of its own is itself, in the field and in the place that is told.
    await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/?search=%2541' })");
    await expect.poll(() => frame.getByRole('searchbox').inputValue()).toBe('%41');
    await expect.poll(() => heard(page, 'route')).toContainEqual('/?search=%2541');
  });

  inOneTest(['//127.0.0.1:9/', '/\\\\127.0.0.1:9', 'https://127.0.0.1:9', '', 7, null])(
    'stays on its pages when it is sent to %j',
    async (route) => {
      const owner = await startOwner();
      const host = await start({ frameAncestors: [owner.origin], embed: true });
      const { page, frame } = await openFramed(owner.origin, host);
      await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
      await page.evaluate(
        `say({ source: 'acme-webhooks', type: 'navigate', route: ${JSON.stringify(route)} })`,
      );
      await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
      await frame.getByRole('heading', { name: 'Events', exact: true }).waitFor();
      expect(new URL(frame.url()).origin).toBe(host.origin);
      expect(await heard(page, 'route')).toEqual(['/', '/events']);
    },
  );

  inOneTest<[string, Look]>([
    ['that is not allowed', { frameAncestors: ['https://app.example.com'], embed: true }],
    ['if none is allowed', {}],
  ])('neither tells nor hears a page %s, and is not shown in its frame', async (_, look) => {
    const owner = await startOwner();
    const host = await start(look);
    const { page } = await openFramed(owner.origin, host);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    expect(await heard(page, 'route')).toEqual([]);
  });

  inOneTest<[string, Look]>([
    ['embedded', { frameAncestors: ['self'], embed: true }],
    ['not', {}],
  ])('is out of reach in a window of its own, whether %s elsewhere', async (_, look) => {
    const stranger = await startOwner();
    const host = await start(look);
    const { page } = await openFramed(stranger.origin, { ...host, url: 'about:blank' });
    const opened = page.waitForEvent('popup');
    await page.evaluate(`void (window.opened = open(${JSON.stringify(host.url)}))`);
    const popup = await opened;
    await popup.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    // Neither window has the other.
    await expect.poll(() => page.evaluate('opened.closed')).toBe(true);
    expect(await popup.evaluate('window.opener')).toBe(null);
    expect(popup.url()).toBe(host.url);
    expect(await page.evaluate('messages')).toEqual([]);
  });

  it('hears no window of another origin, though that of its frame is allowed', async () => {
    const owner = await startOwner();
    const stranger = await startOwner();
    const host = await start({ frameAncestors: [owner.origin], embed: true });
    const { page, frame } = await openFramed(owner.origin, host);
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    const opened = page.waitForEvent('popup');
    await page.evaluate(`void open(${JSON.stringify(stranger.origin)})`);
    const popup = await opened;
    await popup.waitForLoadState();
    await frame.evaluate(
      `addEventListener('message', ({ origin }) => (window.heardFrom = origin), { once: true })`,
    );
    await popup.evaluate(
      "opener.frames[0].postMessage({ source: 'acme-webhooks', type: 'navigate', route: '/deliveries' }, '*')",
    );
    await expect.poll(() => frame.evaluate('window.heardFrom')).toBe(stranger.origin);
    await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
    await frame.getByRole('heading', { name: 'Events', exact: true }).waitFor();
    expect(await heard(page, 'route')).toEqual(['/', '/events']);
    expect(await popup.evaluate('messages')).toEqual([]);
  });

  it('hears no other window than the one around it', async () => {
    const owner = await startOwner();
    const host = await start({ frameAncestors: [owner.origin], embed: true });
    const { page, frame } = await openFramed(owner.origin, host);
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    // Another frame of the allowed origin: an advertisement, say.
    await page.evaluate(
      "sayFromSibling({ source: 'acme-webhooks', type: 'navigate', route: '/deliveries' })",
    );
    await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
    await frame.getByRole('heading', { name: 'Events', exact: true }).waitFor();
    expect(await heard(page, 'route')).toEqual(['/', '/events']);
  });
});

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
