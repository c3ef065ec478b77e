import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { endDemo, running, startDemo } from '../../examples/quickstart/test/demo-process.ts';
import { startPanelHost } from '../../packages/webhooks/test/panel/panel-host.ts';
import { seededStorage } from '../../packages/webhooks/test/panel/seeded-storage.ts';
import { launchChromium } from '../services/chromium.ts';
import { movingPicture } from './moving-picture.ts';

const COLOR_SCHEMES = ['light', 'dark'] as const;
type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** Where pictures are taken: the demo, and the panel over sixty webhooks. */
interface Places {
  /** Origin of the demo. */
  readonly demo: string;
  /** The list of the sixty webhooks. */
  readonly panel: string;
}

/** A picture in the documents: what it shows, and how to get there. */
interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** `frame` takes one more for a picture that moves, which the last one ends. */
  show(page: Page, places: Places, frame: (ms: number) => Promise<void>): Promise<void>;
}

const WIDTH = 1_120;
/** In scripts that the fonts of any machine have. */
const SHOWN = {
  origin: 'https://hooks.example.com',
  names: ['Warehouse', 'Ünïcödé & Söhne', 'Invoices', 'مستودع الطلبات', 'Newsletter', '', 'Заказы'],
  about: ['', 'Ships what was paid', 'Zeigt jede Änderung an'],
};
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
    width: WIDTH,
    height: 660,
    async show(page, { demo }, frame) {
      await page.goto(demo);
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
  { name: 'webhooks', width: WIDTH, height: 700, show: (page, { panel }) => showList(page, panel) },
  { name: 'delivery', width: WIDTH, height: 800, show: (page, { demo }) => showDelivery(page, demo) },
  { name: 'phone', width: 390, height: 790, show: (page, { panel }) => showList(page, panel) },
];

/** The names of all pictures' files, such as `demo-dark.webp`. */
export function pictureFiles(): readonly string[] {
  return PICTURES.flatMap(({ name }) => COLOR_SCHEMES.map((scheme) => fileOf(name, scheme)));
}

/**
 * Takes every picture, in both colour schemes, from a demo of its own with its seeded history, and
 * from a panel over the sixty webhooks that its tests look at.
 */
export async function takePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const demo = startDemo();
  const host = await startPanelHost({ storage: await seededStorage(SHOWN) });
  let browser: Browser | undefined;
  try {
    const places = { demo: (await running(demo)).app, panel: host.url };
    browser = await launchChromium();
    for (const scheme of COLOR_SCHEMES) {
      for (const picture of PICTURES) await takeOne(browser, picture, places, scheme, folder);
    }
  } finally {
    await browser?.close();
    await host.close();
    await endDemo(demo);
  }
}

async function takeOne(
  browser: Browser,
  { name, width, height, show }: Picture,
  places: Places,
  colorScheme: ColorScheme,
  folder: string,
): Promise<void> {
  const context = await browser.newContext({
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width, height },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const devTools = await context.newCDPSession(page);
  const shoot = async (quality: number) => {
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality });
    return Buffer.from(data, 'base64');
  };
  const frames: { webp: Buffer; ms: number }[] = [];
  await show(page, places, async (ms) => {
    frames.push({ webp: await shoot(FRAME_QUALITY), ms });
  });
  await page.evaluate('document.fonts.ready');
  const last = { webp: await shoot(frames.length > 0 ? FRAME_QUALITY : QUALITY), ms: LAST_FRAME_MS };
  const picture = frames.length > 0 ? movingPicture([...frames, last], { width, height }) : last.webp;
  await writeFile(join(folder, fileOf(name, colorScheme)), picture);
  await context.close();
}

/** The list of sixty webhooks, from its filters to the last row that is in sight as a whole. */
async function showList(page: Page, list: string): Promise<void> {
  await page.goto(list);
  await page.getByText('Showing 1 to 20 of 60').waitFor();
  // They come after the list, and move it.
  await page.locator('.problems').waitFor();
  const height = await page.locator('.problems').evaluate((problems) => {
    const { defaultView } = problems.ownerDocument;
    defaultView?.scrollBy(0, problems.getBoundingClientRect().bottom);
    const rows = [...problems.ownerDocument.querySelectorAll('.data-table tbody tr')];
    const bottoms = rows.map((row) => Math.floor(row.getBoundingClientRect().bottom));
    return Math.max(...bottoms.filter((bottom) => bottom <= (defaultView?.innerHeight ?? 0)));
  });
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
}

/** A delivery that failed, with its attempts, as the demo's administrator sees it. */
async function showDelivery(page: Page, demo: string): Promise<void> {
  await page.goto(`${demo}/try`);
  await page.getByRole('button', { name: 'Log in as administrator' }).click();
  await page.getByText('Logged in: user').waitFor();
  const answer = await page.request.get(`${demo}/api/admin/webhooks/1/deliveries?status=failed`);
  const { deliveries } = (await answer.json()) as { deliveries: { delivery_id: string }[] };
  await page.goto(`${demo}/admin/webhooks/1?delivery=${deliveries[0]?.delivery_id}`);
  await page.locator('.attempt-axis li').nth(3).waitFor();
}

function fileOf(name: string, colorScheme: ColorScheme): string {
  return `${name}-${colorScheme}.webp`;
}
