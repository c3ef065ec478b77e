import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { endDemo, running, startDemo } from '../demo-process.ts';
import { movingPicture } from './moving-picture.ts';

const COLOR_SCHEMES = ['light', 'dark'] as const;
type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** A picture in the documents: what it shows, and how to get there. */
interface Picture {
  readonly name: string;
  readonly height: number;
  /** `frame` takes one more for a picture that moves, which the last one ends. */
  show(page: Page, app: string, frame: (ms: number) => Promise<void>): Promise<void>;
}

const WIDTH = 1_120;
/** WebP at this quality keeps text crisp, at 20 to 60 kB a picture. */
const QUALITY = 60;
/** Of the frames of the picture that moves: they are many. */
const FRAME_QUALITY = 40;
const FRAME_MS = 1_000;
const LAST_FRAME_MS = 3_000;
const PATIENCE_MS = 120_000;

const PICTURES: readonly Picture[] = [
  {
    name: 'demo',
    height: 660,
    async show(page, app, frame) {
      await page.goto(app);
      const accounting = page.locator('[data-hook=accounting]');
      const [worker, lane] = [
        page.getByRole('switch', { name: 'The worker' }),
        accounting.getByRole('switch'),
      ];
      const film = async (steps: number) => {
        for (let step = 0; step < steps; step += 1) {
          await page.waitForTimeout(FRAME_MS);
          await frame(FRAME_MS);
        }
      };
      await accounting.locator('[data-state=arrived]').nth(3).waitFor();
      await film(2);
      await lane.click();
      await film(8);
      await worker.click();
      await film(5);
      await worker.click();
      await worker.getByText('Runs').waitFor();
      await film(3);
      await lane.click();
      await film(9);
    },
  },
  {
    name: 'webhooks',
    height: 420,
    async show(page, app) {
      await page.goto(`${app}/admin/webhooks`);
      await page.getByRole('link', { name: 'Warehouse' }).waitFor();
      // They come after the list.
      await page.getByText('Example shop').waitFor();
      await page.getByText('Showing 1 to 3 of 3').waitFor();
    },
  },
  {
    name: 'delivery',
    height: 800,
    async show(page, app) {
      const { deliveries } = await json(page, `${app}/api/admin/webhooks/1/deliveries?status=failed`);
      await page.goto(`${app}/admin/webhooks/1?delivery=${deliveries[0]?.delivery_id}`);
      await page.locator('.attempt-axis li').nth(3).waitFor();
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
    const devTools = await context.newCDPSession(page);
    const shoot = async (quality: number) => {
      const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality });
      return Buffer.from(data, 'base64');
    };
    const frames: { webp: Buffer; ms: number }[] = [];
    await show(page, app, async (ms) => {
      frames.push({ webp: await shoot(FRAME_QUALITY), ms });
    });
    await page.evaluate('document.fonts.ready');
    const last = { webp: await shoot(frames.length > 0 ? FRAME_QUALITY : QUALITY), ms: LAST_FRAME_MS };
    const picture =
      frames.length > 0 ? movingPicture([...frames, last], { width: WIDTH, height }) : last.webp;
    await writeFile(join(folder, fileOf(name, colorScheme)), picture);
  }
  await context.close();
}

async function logIn(page: Page, app: string): Promise<void> {
  await page.goto(`${app}/try`);
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
