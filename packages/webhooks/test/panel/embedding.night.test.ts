import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeBlocksIn } from '../../../../test/readme/markdown.ts';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { openFramed, startLook as start, startOwner } from './embedded-page.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from './guarded-page.ts';
import { LOGO_URL } from './panel-host.ts';

const BRAND = {
  light: { accent: '#f5c400', ground: '#fffaf0', surface: '#ffffff', border: '#e6d9b8', text: '#2b2410' },
  dark: { accent: '#f5c400', ground: '#14110a', surface: '#211c10', border: '#4a4024', logoUrl: LOGO_URL },
  font: 'Georgia, serif',
  radius: 12,
  density: 'compact',
} as const;

describe.skipIf(chromiumSkipped)('a portal with a look of its host’s own', BROWSER_TIMEOUT, () => {
  it.each(['light', 'dark'] as const)('is legible in a yellow brand (%s)', async (colorScheme) => {
    const host = await start({ theme: BRAND, colorScheme });
    await host.administration.create({ url: 'http://127.0.0.1:9999/orders' });
    const page = await openGuarded(host.url, host.context);
    await page.getByText('/orders').waitFor();
    expect(await page.getByLabel('Colour scheme').count()).toBe(0);
    expect(await styleOf(page, 'body', 'font-family')).toContain('Georgia');
    const body = { light: 'rgb(255, 250, 240)', dark: 'rgb(20, 17, 10)' }[colorScheme];
    expect(await styleOf(page, 'body', 'background-color')).toBe(body);
    expect(await styleOf(page, '.facets', 'color')).toBe(await styleOf(page, 'body', 'color'));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('textbox', { name: 'URL' }).waitFor();
    await expectAccessible(page);
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
});

type Box = { readonly y: number; readonly height: number };

const bottomOf = (box: Box | null) => (box === null ? Number.NaN : box.y + box.height);

function boxOf(page: Page) {
  return page.locator('iframe').first().boundingBox();
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(
    `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
  );
}
