import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { endDemo, running, startDemo } from '../demo-process.ts';

const COLOR_SCHEMES = ['light', 'dark'] as const;
type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** A picture in the documents: what it shows, and how to get there. */
interface Picture {
  readonly name: string;
  readonly height: number;
  show(page: Page, app: string): Promise<void>;
}

const WIDTH = 1_120;
/** WebP at this quality keeps text crisp, at 20 to 60 kB a picture. */
const QUALITY = 60;
const PATIENCE_MS = 120_000;

const PICTURES: readonly Picture[] = [
  {
    name: 'demo',
    height: 800,
    async show(page, app) {
      await page.goto(app);
      await page.getByRole('button', { name: 'Log in as customer' }).click();
      await page.getByText('Logged in: user 1', { exact: true }).waitFor();
      await page.locator('.request').first().getByText('Signature verified').click();
    },
  },
  {
    name: 'webhooks',
    height: 420,
    async show(page, app) {
      await page.goto(`${app}/admin/webhooks`);
      await page.getByRole('link', { name: /hooks\/shop/ }).waitFor();
      // They come after the list.
      await page.getByText('Example shop').waitFor();
      await page.getByText('Showing 1 to 1 of 1').waitFor();
    },
  },
  {
    name: 'delivery',
    height: 800,
    async show(page, app) {
      const { deliveries } = await json(page, `${app}/api/admin/webhooks/1/deliveries?status=failed`);
      await page.goto(`${app}/admin/webhooks/1?delivery=${deliveries[0]?.delivery_id}`);
      await page.getByText('Attempt 4').first().waitFor();
      await page
        .locator('tr[data-open]')
        .first()
        .evaluate((row) => row.scrollIntoView());
    },
  },
];

/** The names of all pictures' files, such as `demo-dark.webp`. */
export function pictureFiles(): readonly string[] {
  return PICTURES.flatMap(({ name }) => COLOR_SCHEMES.map((scheme) => fileOf(name, scheme)));
}

/** Takes every picture, in both colour schemes, from a demo of its own with its seeded history. */
export async function takePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const demo = startDemo();
  let browser: Browser | undefined;
  try {
    const { app } = await running(demo);
    browser = await launchBrowser();
    for (const scheme of COLOR_SCHEMES) await takeAll(browser, app, scheme, folder);
  } finally {
    await browser?.close();
    await endDemo(demo);
  }
}

async function takeAll(browser: Browser, app: string, colorScheme: ColorScheme, folder: string) {
  const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await logIn(page, app);
  for (const { name, height, show } of PICTURES) {
    await page.setViewportSize({ width: WIDTH, height });
    await show(page, app);
    await page.evaluate('document.fonts.ready');
    const devTools = await context.newCDPSession(page);
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await writeFile(join(folder, fileOf(name, colorScheme)), Buffer.from(data, 'base64'));
  }
  await context.close();
}

async function logIn(page: Page, app: string): Promise<void> {
  await page.goto(app);
  await page.getByRole('button', { name: 'Log in as administrator' }).click();
  await page.getByText('Logged in: user').waitFor();
}

/** Asks the admin API as the page's administrator. */
async function json(
  page: Page,
  url: string,
): Promise<{ readonly deliveries: readonly { readonly delivery_id: string }[] }> {
  return (await page.request.get(url)).json();
}

function fileOf(name: string, colorScheme: ColorScheme): string {
  return `${name}-${colorScheme}.webp`;
}
