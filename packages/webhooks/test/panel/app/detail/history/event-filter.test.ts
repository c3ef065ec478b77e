import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectAccessible, keepPicture, openGuarded } from '../../../guarded-page.ts';
import { startPanelHost } from '../../../panel-host.ts';

let browser: Browser;

describe.skipIf(chromiumSkipped)('the filter by event', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(['/1', '/deliveries'])(
    'applies a complete name or Enter, and says what is not applied: %s',
    async (path) => {
      const host = await startPanelHost();
      onTestFinished(() => host.close());
      await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
      await host.webhooks.dispatch('user.created', {});
      const { page, expectClean } = await openGuarded(browser, host.url + path);
      const filter = page.getByRole('search').getByLabel(/^Event/);
      await filter.fill('user.cr');
      await page.keyboard.press('Tab');
      await page.getByText('“user.cr” is not applied yet').waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.getByText('user.created').first().waitFor();
      await keepPicture(page, `event-filter${path.replace('/', '-')}`);
      await expectAccessible(page);

      await filter.fill('user.created');
      await page.waitForURL(/event=user.created/);
      expect(await page.getByText('is not applied yet').count()).toBe(0);
      await filter.fill('shop.sold');
      expect(new URL(page.url()).search).toContain('event=user.created');
      await filter.press('Enter');
      await page.waitForURL(/event=shop.sold/);
      await page.getByText('No delivery matches').waitFor();
      await expectClean();
    },
  );
});
