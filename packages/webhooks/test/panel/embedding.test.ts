import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocksIn } from '../../../../test/readme/markdown.ts';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { signedIn, startPortalHost } from '../portal/portal-host.ts';
import { BROWSER_TIMEOUT, expectAccessible, keepPicture, openGuarded } from './guarded-page.ts';
import { LOGO_URL, type PanelHostOptions, startPanelHost } from './panel-host.ts';

let browser: Browser;

const BRAND = {
  light: { accent: '#f5c400', ground: '#fffaf0', surface: '#ffffff', border: '#e6d9b8', text: '#2b2410' },
  dark: { accent: '#f5c400', ground: '#14110a', surface: '#211c10', border: '#4a4024', logoUrl: LOGO_URL },
  font: 'Georgia, serif',
  radius: 12,
  density: 'compact',
} as const;

/** The same pages, over either API. */
const KINDS = {
  panel: async (options: Look) => {
    const host = await startPanelHost(options);
    onTestFinished(() => host.close());
    return { ...host, administration: host.webhooks, context: {} };
  },
  portal: async (options: Look) => {
    const host = await startPortalHost(options);
    const context = { storageState: signedIn('ada', host.url) };
    return { ...host, administration: host.webhooks.forTenant('acme'), context };
  },
};
type Look = Pick<PanelHostOptions, 'theme' | 'colorScheme' | 'frameAncestors' | 'embed'>;

beforeAll(async () => {
  if (!chromiumSkipped) browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.skipIf(chromiumSkipped).each(['panel', 'portal'] as const)(
  'a %s with a look of its host’s own',
  BROWSER_TIMEOUT,
  (kind) => {
    const start = KINDS[kind];

    it.each(['light', 'dark'] as const)('is legible in a yellow brand (%s)', async (colorScheme) => {
      const host = await start({ theme: BRAND, colorScheme });
      await host.administration.create({ url: 'http://127.0.0.1:9999/orders' });
      const { page, expectClean } = await openGuarded(browser, host.url, host.context);
      await page.getByText('/orders').waitFor();
      expect(await page.getByLabel('Colour scheme').count()).toBe(0);
      expect(await styleOf(page, 'body', 'font-family')).toContain('Georgia');
      const body = { light: 'rgb(255, 250, 240)', dark: 'rgb(20, 17, 10)' }[colorScheme];
      expect(await styleOf(page, 'body', 'background-color')).toBe(body);
      expect(await styleOf(page, '.facets', 'color')).toBe(await styleOf(page, 'body', 'color'));
      await expectAccessible(page);
      await keepPicture(page, `${kind}-theme-${colorScheme}`);
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByRole('textbox', { name: 'URL' }).waitFor();
      await expectAccessible(page);
      await keepPicture(page, `${kind}-theme-form-${colorScheme}`);
      await expectClean();
    });

    it('has its colours while it waits', async () => {
      const host = await start({ theme: BRAND, colorScheme: 'light' });
      const { page } = await openGuarded(browser, host.url, host.context);
      await page.route('**/api/**', () => undefined);
      await page.reload();
      await page.locator('.mantine-Skeleton-root').first().waitFor();
      const color =
        "getComputedStyle(document.querySelector('.mantine-Skeleton-root'), '::after').backgroundColor";
      expect(await page.evaluate(color)).toBe('rgb(230, 217, 184)');
    });

    it('is in sight and where it was after a reload, in a page as the guide has it', async () => {
      const guide = readFileSync(new URL('../../docs/panel.md', import.meta.url), 'utf8');
      const sample = codeBlocksIn(guide).find(({ language }) => language === 'html')?.code ?? '';
      // Above it, the page around it has something of its own.
      const owner = await startOwner(`<!doctype html><div style="height: 300px"></div>${sample}`);
      const host = await start({ frameAncestors: [owner.origin], embed: true });
      for (let n = 0; n < 20; n += 1) {
        await host.administration.create({ url: `http://127.0.0.1:9999/orders/${n}` });
      }
      const { page, frame } = await openFramed(owner.origin, host);
      await frame.getByText('/orders/0').waitFor();
      const height = () => frame.evaluate<number>('Math.ceil(document.body.getBoundingClientRect().height)');
      await expect.poll(async () => (await boxOf(page))?.height === (await height())).toBe(true);
      await frame.getByText('/orders/0').scrollIntoViewIfNeeded();
      await frame.getByRole('link', { name: /orders\/0$/ }).click();
      await frame.getByRole('heading', { level: 1, name: /orders/ }).waitFor();
      await expect.poll(async () => (await boxOf(page))?.y).toBe(0);

      // What opens is in sight, wherever the page around it has scrolled to.
      await frame.getByRole('link', { name: 'Settings' }).click();
      await page.evaluate('scrollTo(0, 600)');
      await frame.getByRole('button', { name: 'Send test event' }).focus();
      await page.evaluate('scrollTo(0, 700)');
      await page.keyboard.press('Enter');
      const dialog = frame.getByRole('dialog');
      await dialog.waitFor();
      await expect.poll(async () => (await dialog.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await expect.poll(async () => bottomOf(await dialog.boundingBox())).toBeLessThanOrEqual(800);
      // Nor does it leave it when the content below it grows.
      await frame.evaluate('document.querySelector("main").style.paddingBottom = "400px"');
      await expect.poll(async () => (await boxOf(page))?.height === (await height())).toBe(true);
      expect(bottomOf(await dialog.boundingBox())).toBeLessThanOrEqual(800);
      await page.keyboard.press('Escape');
      await page.reload();
      await page
        .frames()[1]
        ?.getByRole('heading', { level: 1, name: /orders/ })
        .waitFor();
    });

    it('tells the page around it its height and its place, and goes where that says', async () => {
      const owner = await startOwner();
      const host = await start({ theme: BRAND, frameAncestors: [owner.origin], embed: true });
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
      await keepPicture(page, `${kind}-embedded`);
    });

    it.each(['//127.0.0.1:9/', '/\\\\127.0.0.1:9', 'https://127.0.0.1:9', '', 7, null])(
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

    it.each<[string, Look]>([
      ['that is not allowed', { frameAncestors: ['https://app.example.com'], embed: true }],
      ['if none is allowed', {}],
    ])('neither tells nor hears a page %s, and is not shown in its frame', async (_, look) => {
      const owner = await startOwner();
      const host = await start(look);
      const { page } = await openFramed(owner.origin, host);
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
      expect(await heard(page, 'route')).toEqual([]);
    });

    it.each<[string, Look]>([
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
  },
);

/** An application at another origin whose page frames what its query names. */
async function startOwner(sample = ''): Promise<{ origin: string }> {
  const server = createServer((request, response) => {
    const framed = new URL(request.url ?? '', 'http://localhost').searchParams.get('framed');
    response.writeHead(200, { 'content-type': 'text/html' });
    if (sample !== '') return void response.end(sample.replace('/admin/webhooks', framed ?? ''));
    response.end(`<!doctype html><html lang="en"><title>App</title>
      <body style="background: #fffaf0"><nav>Orders · Customers · Settings</nav>
      <iframe title="Webhooks" width="800" height="700" src="${framed ?? 'about:blank'}"></iframe>
      <iframe title="Sibling" hidden></iframe>
      <script>
        window.messages = [];
        const [framed, sibling] = document.querySelectorAll('iframe');
        addEventListener('message', ({ data }) => messages.push(data));
        window.say = (message) => framed.contentWindow.postMessage(message, '*');
        window.sayFromSibling = (message) => {
          sibling.contentWindow.eval('window.say = (to, message) => to.postMessage(message, "*")');
          sibling.contentWindow.say(framed.contentWindow, message);
        };
      </script></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface Framed {
  readonly url: string;
  readonly context: BrowserContextOptions;
}

async function openFramed(owner: string, framed: Framed): Promise<{ page: Page; frame: Frame }> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 800 }, ...framed.context });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${owner}/?framed=${encodeURIComponent(framed.url)}`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('nothing is framed');
  return { page, frame };
}

type Box = { readonly y: number; readonly height: number };

const bottomOf = (box: Box | null) => (box === null ? Number.NaN : box.y + box.height);

function boxOf(page: Page) {
  return page.locator('iframe').first().boundingBox();
}

function heard(page: Page, type: 'route' | 'height'): Promise<unknown[]> {
  return page.evaluate(`messages.filter((one) => one.type === '${type}').map((one) => one.${type})`);
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
  );
}
