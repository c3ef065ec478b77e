import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { endDemo, running, startDemo } from '../../examples/quickstart/test/demo-process.ts';
import { memoryStorage } from '../../packages/webhooks/src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../packages/webhooks/src/storage/storage.ts';
import { createTestReceiver } from '../../packages/webhooks/src/testing/test-receiver.ts';
import { createWebhooks } from '../../packages/webhooks/src/webhooks.ts';
import { startPanelHost } from '../../packages/webhooks/test/panel/panel-host.ts';
import { seededStorage } from '../../packages/webhooks/test/panel/seeded-storage.ts';
import { launchChromium } from '../services/chromium.ts';
import { movingPicture } from './moving-picture.ts';

const COLOR_SCHEMES = ['light', 'dark'] as const;
type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** Where pictures are taken. */
interface Places {
  /** Origin of the demo. */
  readonly demo: string;
  /** The list of the sixty webhooks. */
  readonly panel: string;
  /** A delivery that failed. */
  readonly delivery: string;
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
const REFUSED_HOURS_AGO = 7;
const REFUSAL = '{"error":"The warehouse is closed for maintenance."}';

const PICTURES: readonly Picture[] = [
  {
    name: 'demo',
    width: WIDTH,
    height: 660,
    async show(page, { demo }, frame) {
      await page.goto(demo);
      const press = (name: string) => page.getByRole('button', { name }).click();
      const film = async (steps: number) => {
        for (let step = 0; step < steps; step += 1) {
          await page.waitForTimeout(FRAME_MS);
          await frame(FRAME_MS);
        }
      };
      await page.locator('[data-name=Accounting] [data-state=arrived]').nth(3).waitFor();
      await film(2);
      await press('Take Accounting down');
      await film(6);
      await press('Kill the worker');
      await film(4);
      await press('Start the worker');
      await page.getByRole('button', { name: 'Kill the worker' }).waitFor();
      await film(2);
      await press('Bring Accounting back');
      await film(7);
      await page.locator('#recipients:not(:has([data-state=waits]))').waitFor();
    },
  },
  { name: 'webhooks', width: WIDTH, height: 700, show: (page, { panel }) => showList(page, panel) },
  { name: 'delivery', width: WIDTH, height: 800, show: (page, { delivery }) => showDelivery(page, delivery) },
  { name: 'phone', width: 390, height: 790, show: (page, { panel }) => showList(page, panel) },
];

/** The names of all pictures' files, such as `demo-dark.webp`. */
export function pictureFiles(): readonly string[] {
  return PICTURES.flatMap(({ name }) => COLOR_SCHEMES.map((scheme) => fileOf(name, scheme)));
}

/**
 * Takes every picture, in both colour schemes, from a demo of its own and from panels: over the
 * sixty webhooks that its tests look at, and over a delivery that failed.
 */
export async function takePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const demo = startDemo();
  const host = await startPanelHost({ storage: await seededStorage(SHOWN) });
  const failed = memoryStorage();
  const delivery = await addFailedDelivery(failed);
  const failedHost = await startPanelHost({ storage: failed });
  let browser: Browser | undefined;
  try {
    const places = { demo: await running(demo), panel: host.url, delivery: failedHost.url + delivery };
    browser = await launchChromium();
    for (const scheme of COLOR_SCHEMES) {
      for (const picture of PICTURES) await takeOne(browser, picture, places, scheme, folder);
    }
  } finally {
    await browser?.close();
    await host.close();
    await failedHost.close();
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

/** A delivery that failed, with its attempts. */
async function showDelivery(page: Page, delivery: string): Promise<void> {
  await page.goto(delivery);
  await page.locator('.attempt-axis li').nth(3).waitFor();
}

/**
 * Adds a delivery that its recipient refused four times: the engine makes the attempts, with a clock
 * that skips the waits between them.
 *
 * @returns the address of the delivery, below that of the list
 */
async function addFailedDelivery(storage: WebhookStorage): Promise<string> {
  let behind = REFUSED_HOURS_AGO * 3_600_000;
  const receiver = await createTestReceiver();
  const egress = { allowedAddresses: ['127.0.0.1/32'] };
  const clock = () => Date.now() - behind;
  const webhooks = createWebhooks({ storage, egress, clock, schedulePurge: false });
  try {
    await webhooks.start();
    const { id } = await webhooks.create({ url: receiver.url, name: 'Warehouse', events: ['user.updated'] });
    receiver
      .respond({ status: 503, headers: { 'content-type': 'application/json' }, body: REFUSAL })
      .times(4);
    await webhooks.dispatch('user.updated', { id: 42, name: 'Ada', city: 'London' });
    for (;;) {
      await webhooks.drain();
      const [delivery] = (await webhooks.deliveries(id)).deliveries;
      const dueAt = delivery?.nextAttemptAt ?? null;
      if (dueAt === null) return `/${id}?delivery=${delivery?.deliveryId}`;
      behind = Math.min(behind, Date.now() - Date.parse(dueAt));
    }
  } finally {
    await webhooks.close();
    await receiver.close();
  }
}

function fileOf(name: string, colorScheme: ColorScheme): string {
  return `${name}-${colorScheme}.webp`;
}
