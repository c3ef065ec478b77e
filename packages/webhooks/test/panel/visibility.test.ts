import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { contrastOf } from '../../src/panel/look/accent-color.ts';
import { BROWSER_TIMEOUT, keepPicture, openGuarded } from './guarded-page.ts';
import { startPanelHost } from './panel-host.ts';

let browser: Browser;
/** Nobody listens there. */
const DEAD = 'http://127.0.0.1:9/hook';

describe.skipIf(chromiumSkipped)('what is to be seen', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    // Playwright hides scroll bars unless it is told not to.
    browser = await launchChromium({ ignoreDefaultArgs: ['--hide-scrollbars'] });
  });
  afterAll(() => browser?.close());

  it.each(['light', 'dark'] as const)(
    'the gutter beside a dialog is as dim as the page (%s)',
    async (scheme) => {
      const host = await start();
      const { page } = await openGuarded(browser, host.url, { colorScheme: scheme });
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
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    const { page } = await openGuarded(browser, host.url);
    await page.locator('tbody .select-box').check();
    await page.locator('.selection-bar').waitFor();
    expect(await styleOf(page, 'html', 'overflowY')).toBe('scroll');
    await keepPicture(page, 'selection-bar-short');
  });

  it.each(['none', 'active'] as const)(
    'fields have a focus ring (forced colours: %s)',
    async (forcedColors) => {
      const host = await start();
      await host.webhooks.create({ url: DEAD });
      const { page, expectClean } = await openGuarded(browser, host.url, { forcedColors });
      await page.getByLabel('Status', { exact: true }).press('Tab');
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
      await expectClean();
    },
  );

  it.each(['light', 'dark'] as const)('empty boxes of a form stand out (%s)', async (colorScheme) => {
    const host = await start();
    const { page } = await openGuarded(browser, host.url, { colorScheme });
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
      await expect.poll(contrast, box).toBeGreaterThanOrEqual(3);
      await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))');
      expect(await contrast(), box).toBeGreaterThanOrEqual(3);
    }
    const checked = '.mantine-Radio-radio:checked';
    expect(await colorOf(page, checked, 'borderTopColor')).toEqual(
      await colorOf(page, checked, 'backgroundColor'),
    );
  });

  it('the focus ring within a notice is whole', async () => {
    const host = await start();
    const { page } = await openGuarded(browser, host.url);
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
});

async function start() {
  const host = await startPanelHost();
  onTestFinished(() => host.close());
  return host;
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
