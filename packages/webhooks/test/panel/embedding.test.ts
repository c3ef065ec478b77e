import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
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

describe.skipIf(chromiumSkipped)('a panel with a look of its host’s own', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(['light', 'dark'] as const)('is legible in a yellow brand (%s)', async (colorScheme) => {
    const host = await start({ theme: BRAND, colorScheme });
    await host.webhooks.create({ url: 'http://127.0.0.1:9/orders' });
    const { page, expectClean } = await openGuarded(browser, host.url);
    await page.getByText('/orders').waitFor();
    expect(await page.getByLabel('Colour scheme').count()).toBe(0);
    expect(await styleOf(page, 'body', 'font-family')).toContain('Georgia');
    const body = { light: 'rgb(255, 250, 240)', dark: 'rgb(20, 17, 10)' }[colorScheme];
    expect(await styleOf(page, 'body', 'background-color')).toBe(body);
    await expectAccessible(page);
    await keepPicture(page, `theme-${colorScheme}`);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('textbox', { name: 'URL' }).waitFor();
    await expectAccessible(page);
    await keepPicture(page, `theme-form-${colorScheme}`);
    await expectClean();
  });

  it('tells the page around it its height and its place, and goes where that says', async () => {
    const owner = await startOwner();
    const host = await start({ theme: BRAND, frameAncestors: [owner.origin], embed: true });
    await host.webhooks.create({ url: 'http://127.0.0.1:9/orders' });
    const { page, frame } = await openFramed(owner.origin, host.url);
    await frame.getByText('/orders').waitFor();
    expect(await frame.getByRole('banner').count()).toBe(0);
    await expect.poll(() => heard(page, 'route')).toContainEqual('/');
    const height = () => frame.evaluate<number>('Math.ceil(document.body.getBoundingClientRect().height)');
    await expect.poll(async () => (await heard(page, 'height')).at(-1)).toBe(await height());
    await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
    await frame.getByRole('heading', { name: 'Events' }).waitFor();
    await expect.poll(() => heard(page, 'route')).toContainEqual('/events');
    await keepPicture(page, 'embedded');
  });

  it.each(['//127.0.0.1:9/', '/\\\\127.0.0.1:9', 'https://127.0.0.1:9', '', 7, null])(
    'stays on its pages when it is sent to %j',
    async (route) => {
      const owner = await startOwner();
      const host = await start({ frameAncestors: [owner.origin], embed: true });
      const { page, frame } = await openFramed(owner.origin, host.url);
      await frame.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.evaluate(
        `say({ source: 'acme-webhooks', type: 'navigate', route: ${JSON.stringify(route)} })`,
      );
      await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
      await frame.getByRole('heading', { name: 'Events' }).waitFor();
      expect(new URL(frame.url()).origin).toBe(host.origin);
      expect(await heard(page, 'route')).toEqual(['/', '/events']);
    },
  );

  it('neither tells nor hears a page that is not allowed, and is not shown in its frame', async () => {
    const owner = await startOwner();
    const host = await start({ frameAncestors: ['https://app.example.com'], embed: true });
    const { page } = await openFramed(owner.origin, host.url);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    expect(await heard(page, 'route')).toEqual([]);
  });

  it('hears no other window than the one around it', async () => {
    const owner = await startOwner();
    const host = await start({ frameAncestors: [owner.origin], embed: true });
    const { page, frame } = await openFramed(owner.origin, host.url);
    await frame.getByRole('heading', { name: 'Webhooks' }).waitFor();
    // Another frame of the allowed origin: an advertisement, say.
    await page.evaluate(
      "sayFromSibling({ source: 'acme-webhooks', type: 'navigate', route: '/deliveries' })",
    );
    await page.evaluate("say({ source: 'acme-webhooks', type: 'navigate', route: '/events' })");
    await frame.getByRole('heading', { name: 'Events' }).waitFor();
    expect(await heard(page, 'route')).toEqual(['/', '/events']);
  });
});

async function start(options: PanelHostOptions) {
  const host = await startPanelHost(options);
  onTestFinished(() => host.close());
  return host;
}

/** An application at another origin whose page frames what its query names. */
async function startOwner(): Promise<{ origin: string }> {
  const server = createServer((request, response) => {
    const framed = new URL(request.url ?? '', 'http://localhost').searchParams.get('framed');
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><title>App</title>
      <body style="background: #fffaf0"><nav>Orders · Customers · Settings</nav>
      <iframe title="Webhooks" width="800" height="700" src="${framed ?? 'about:blank'}"></iframe>
      <iframe title="Sibling" hidden></iframe>
      <script>
        window.messages = [];
        const [framed, sibling] = document.querySelectorAll('iframe');
        addEventListener('message', ({ data, source }) => source === framed.contentWindow && messages.push(data));
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

async function openFramed(owner: string, framed: string): Promise<{ page: Page; frame: Frame }> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${owner}/?framed=${encodeURIComponent(framed)}`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('nothing is framed');
  return { page, frame };
}

function heard(page: Page, type: 'route' | 'height'): Promise<unknown[]> {
  return page.evaluate(`messages.filter((one) => one.type === '${type}').map((one) => one.${type})`);
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
  );
}
