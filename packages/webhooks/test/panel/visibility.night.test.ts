import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { contrastOf } from '../../src/panel/look/colors.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { DEAD, servePanel } from './panel-host.ts';

describe.skipIf(chromiumSkipped)('what is to be seen', BROWSER_TIMEOUT, () => {
  it.each(['none', 'active'] as const)(
    'fields have a focus ring (forced colours: %s)',
    async (forcedColors) => {
      const host = await servePanel({ webhook: { url: DEAD } });
      const page = await openGuarded(host.url, { forcedColors });
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
    const page = await openGuarded(host.url, { colorScheme });
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

  it('a time of today is written as in its exact time', async () => {
    const host = await startWithFailure();
    // Where it is seven o'clock, which some formats write with a zero. POSIX counts to the west.
    const west = new Date().getUTCHours() - 7;
    const timezoneId = `Etc/GMT${west > 12 ? `-${24 - west}` : west < 0 ? west : `+${west}`}`;
    const options = { locale: 'en-US', timezoneId };
    const page = await openGuarded(`${host.url}/deliveries`, options);
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
