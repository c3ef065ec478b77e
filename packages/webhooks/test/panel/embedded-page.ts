import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { sharedChromium } from '../../../../test/services/chromium.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { signedIn, startPortalHost } from '../portal/portal-host.ts';
import type { PanelHostOptions } from './panel-host.ts';

export type Look = Pick<PanelHostOptions, 'theme' | 'colorScheme' | 'frameAncestors' | 'embed'>;

/** A portal, and what its browser holds. */
export async function startLook(options: Look) {
  const host = await startPortalHost(options);
  const context = { storageState: signedIn('ada', host.url) };
  return { ...host, administration: host.webhooks.forTenant('acme'), context };
}

/** An application at another origin whose page frames what its query names. */
export async function startOwner(sample = ''): Promise<{ origin: string }> {
  return await listen((request, response) => {
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
}

interface Framed {
  readonly url: string;
  readonly context: BrowserContextOptions;
}

export async function openFramed(owner: string, framed: Framed): Promise<{ page: Page; frame: Frame }> {
  const viewport = { width: 1024, height: 800 };
  const context = await (await sharedChromium()).newContext({ viewport, ...framed.context });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${owner}/?framed=${encodeURIComponent(framed.url)}`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('nothing is framed');
  return { page, frame };
}

/** What the page has told the one around it. */
export function heard(page: Page, type: 'route' | 'height' | 'session-ended'): Promise<unknown[]> {
  return page.evaluate(
    `messages.filter((one) => one.type === '${type}').map((one) => one['${type}'] ?? null)`,
  );
}
