import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { contrastOf } from '../../src/panel/look/colors.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { DEAD, servePanel } from './panel-host.ts';

let browser: Browser;
const open: typeof openGuarded = (url, options) => openGuarded(url, { browser, ...options });

describe.skipIf(chromiumSkipped)('what is to be seen', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    // Playwright hides scroll bars unless it is told not to.
    browser = await launchChromium({ ignoreDefaultArgs: ['--hide-scrollbars'] });
  });
  afterAll(() => browser?.close());

  it.each(['light', 'dark'] as const)(
    'the gutter beside a dialog is as dim as the page (%s)',
    async (scheme) => {
      const host = await servePanel();
      const page = await open(host.url, { colorScheme: scheme });
      await openForm(page);
      const ground = await colorOf(page, 'body', 'backgroundColor');
      const gutter = await colorOf(page, 'html', 'backgroundColor');
      // Mantine's overlay: black of an opacity of 0.6.
      for (const [at, level] of gutter.entries()) expect(level).toBeCloseTo((ground[at] ?? 0) * 0.4, 0);
      // Below a short page the root's background would be dimmed once more.
      expect(await page.evaluate('document.body.offsetHeight >= innerHeight')).toBe(true);
    },
  );

  it('the selection bar ends at a scroll bar, on a short page, too', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await open(host.url);
    await page.locator('tbody .select-box').check();
    await page.locator('.selection-bar').waitFor();
    expect(await styleOf(page, 'html', 'overflowY')).toBe('scroll');
    // The page behind a dialog stays where it is.
    await page.locator('.selection-bar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await styleOf(page, 'html', 'overflowY')).toBe('hidden');
  });

  it.each(['none', 'active'] as const)(
    'fields have a focus ring (forced colours: %s)',
    async (forcedColors) => {
      const host = await servePanel({ webhook: { url: DEAD } });
      const page = await open(host.url, { forcedColors });
      await page.getByRole('searchbox').first().press('Tab');
      await page.keyboard.press('Shift+Tab');
      const ring = ['solid', '2px'];
      expect(await ringOf(page)).toEqual(ring);
      await openForm(page);
      const url = page.getByRole('textbox', { name: 'URL' });
      await url.fill('http://10.0.0.1/hook');
      expect(await ringOf(page)).toEqual(ring);
      await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
      await page.getByText(/Webhooks only go to public addresses/).waitFor();
      await url.focus();
      expect(await ringOf(page)).toEqual(ring);
      await page.getByRole('textbox', { name: 'Description' }).focus();
      expect(await ringOf(page)).toEqual(ring);
    },
  );

  it.each(['light', 'dark'] as const)('empty boxes of a form stand out (%s)', async (colorScheme) => {
    const host = await servePanel();
    const page = await open(host.url, { colorScheme });
    await openForm(page);
    await page.getByLabel('Only the events I choose').check();
    await page.getByRole('checkbox', { name: /^All role events/ }).waitFor();
    for (const box of ['.mantine-Checkbox-input', '.mantine-Radio-radio']) {
      const unchecked = `[role="dialog"] ${box}:not(:checked)`;
      const contrast = async () => {
        const border = await colorOf(page, unchecked, 'borderTopColor');
        return contrastOf(border, await colorOf(page, unchecked, 'backgroundColor'));
      };
      // The border of the radio that was checked fades.
      await expect.poll(contrast, { message: box }).toBeGreaterThanOrEqual(3);
      await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))');
      expect(await contrast(), box).toBeGreaterThanOrEqual(3);
    }
    const checked = '.mantine-Radio-radio:checked';
    expect(await colorOf(page, checked, 'borderTopColor')).toEqual(
      await colorOf(page, checked, 'backgroundColor'),
    );
  });

  it('the focus ring within a notice is whole', async () => {
    const host = await servePanel();
    const page = await open(host.url);
    await openForm(page);
    await page.getByRole('textbox', { name: 'URL' }).fill(DEAD);
    await page.keyboard.press('Escape');
    const button = await page.getByRole('button', { name: 'Keep editing' }).boundingBox();
    const clip = await page.locator('[role="dialog"] .mantine-Alert-message').boundingBox();
    if (button === null || clip === null) throw new Error('There is no question');
    // Two pixels of a ring, at a distance of two.
    expect(clip.x).toBeLessThanOrEqual(button.x - 4);
    expect(clip.y).toBeLessThanOrEqual(button.y - 4);
    expect(clip.y + clip.height).toBeGreaterThanOrEqual(button.y + button.height + 4);
  });

  it('the last failure looks like an error that can be opened', async () => {
    const host = await startWithFailure();
    const page = await open(`${host.url}/1`);
    const failure = page.getByRole('link', { name: /^The last failure: / });
    await failure.waitFor();
    const styles = await failure.evaluate((element) => {
      const style = element.ownerDocument.defaultView?.getComputedStyle(element);
      return [style?.color, style?.textDecorationLine];
    });
    expect(styles).toEqual(['rgb(180, 35, 24)', 'underline']);
  });

  it.each([1920, 1280, 360])(
    'the list names the event of the last delivery whole, at %i px',
    async (width) => {
      const host = await startWithFailure();
      const page = await open(host.url, { viewport: { width, height: 900 } });
      await expectWhole(page.getByTitle('order.created'));
    },
  );

  it('a narrow page of deliveries has the causes whole', async () => {
    const host = await startWithFailure();
    const viewport = { width: 360, height: 740 };
    const page = await open(`${host.url}/deliveries`, { viewport });
    await expectWhole(page.getByTitle('The recipient refused the connection'));
  });

  it('a history of 768 px keeps an event on its line', async () => {
    const host = await startWithFailure();
    const viewport = { width: 768, height: 900 };
    const page = await open(`${host.url}/1`, { viewport });
    const event = page.locator('.row-link').first();
    await event.waitFor();
    expect((await event.boundingBox())?.height).toBeLessThan(30);
  });

  it.each([1280, 360])('an announcement is at the end, above the selection bar, at %i px', async (width) => {
    const host = await startWithFailure();
    const page = await open(host.url, { viewport: { width, height: 900 } });
    const toast = page.locator('.announcements');
    await page.locator('tbody .select-box').first().check();
    if (width < 500) await page.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('button', { name: /^Send test event to/ }).click();
    await toast.getByText('A test event is on its way').waitFor();
    const box = await toast.boundingBox();
    const bar = await page.locator('.selection-bar').boundingBox();
    if (box === null || bar === null) throw new Error('Nothing is announced above the bar');
    expect(box.y).toBeGreaterThan(600);
    expect(box.y + box.height).toBeLessThan(bar.y);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(async () => (await toast.boundingBox())?.y).toBeGreaterThan(box.y);
  });

  it('a time of today is written as in its exact time', async () => {
    const host = await startWithFailure();
    // Where it is seven o'clock, which some formats write with a zero. POSIX counts to the west.
    const west = new Date().getUTCHours() - 7;
    const timezoneId = `Etc/GMT${west > 12 ? `-${24 - west}` : west < 0 ? west : `+${west}`}`;
    const options = { locale: 'en-US', timezoneId };
    const page = await open(`${host.url}/deliveries`, options);
    const time = page.locator('.data-table tbody time').first();
    await time.waitFor();
    expect(await time.getAttribute('title')).toContain(await time.innerText());
  });
});

async function startWithFailure() {
  const host = await servePanel({ webhook: { url: DEAD } });
  await host.deliver('order.created', { id: 1 });
  return host;
}

/** Nothing of it is cut off, to the side or below. */
async function expectWhole(element: ReturnType<Page['locator']>): Promise<void> {
  await element.waitFor();
  const isWhole = await element.evaluate(
    (one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight,
  );
  expect(isWhole).toBe(true);
}

async function openForm(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Add (webhook|your first webhook)$/ })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
}

/** As numbers up to 255: `color-mix` computes to `color(srgb …)`, with numbers up to 1. */
async function colorOf(page: Page, selector: string, property: string) {
  const color = await styleOf(page, selector, property);
  const scale = color.startsWith('color(') ? 255 : 1;
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = (color.match(/[\d.]+/g) ?? []).map(
    (level) => Number(level) * scale,
  );
  return [red, green, blue] as const;
}

function ringOf(page: Page): Promise<string[]> {
  return page.evaluate(`(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])(
    getComputedStyle(document.activeElement))`);
}
