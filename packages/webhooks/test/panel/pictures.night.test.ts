import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, keepPicture, openGuarded } from './guarded-page.ts';
import { expectInPlace } from './misplaced.ts';
import { type PanelHost, startPanelHost } from './panel-host.ts';
import { seededStorage } from './seeded-storage.ts';

let host: PanelHost;
const WIDTHS = [390, 768, 1024, 1280, 1440];
/** Below it, the name of a webhook is a riddle, and that of an event. */
const MIN_LINK_WIDTH = { list: 200, other: 120 };

/** What is looked at: where it is, what tells that it is there, and how to get it. */
const STATES = [
  { name: 'list', path: '', sign: 'Showing 1 to 20 of 60' },
  { name: 'list-end', path: '?offset=40', sign: 'Showing 41 to 60 of 60' },
  { name: 'list-down', path: '?status=down&order=down', sign: 'of 20' },
  { name: 'list-degraded', path: '?status=degraded', sign: 'of 20' },
  { name: 'list-paused', path: '?activity=paused', sign: 'Showing 1 to 6 of 6' },
  { name: 'list-event', path: '?search=order.paid', sign: 'of 39' },
  { name: 'list-nothing', path: '?search=nothing-of-the-kind', sign: 'No webhook matches' },
  { name: 'deliveries', path: '/deliveries', sign: 'order.created' },
  { name: 'deliveries-nothing', path: '/deliveries?event=no.such', sign: 'No delivery matches' },
  { name: 'events', path: '/events', sign: 'user.created' },
  { name: 'webhook-healthy', path: '/1', sign: '24 hours' },
  { name: 'webhook-degraded', path: '/2', sign: 'The last failure' },
  { name: 'webhook-down', path: '/3', sign: 'No delivery has succeeded since' },
  { name: 'webhook-paused', path: '/4', sign: 'This webhook is paused' },
  { name: 'webhook-settings', path: '/60?tab=settings', sign: 'Show all' },
  { name: 'webhook-verify', path: '/1?tab=verify', sign: 'Copy code' },
] as const;

describe.skipIf(chromiumSkipped)('at every width, in light and in dark', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    host = await startPanelHost({ storage: await seededStorage() });
  });
  afterAll(async () => {
    await host?.close();
  });

  it.each(STATES)(
    '$name has its links wide, nothing on top of another, and all in its place',
    async (state) => {
      const page = await openGuarded(host.url + state.path);
      await page.getByText(state.sign).first().waitFor({ state: 'attached' });
      await page.getByText('Times are in your time zone').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScroll(page);
          await expectInPlace(page, `at ${width}`);
          const kind = state.name.startsWith('list') ? 'list' : 'other';
          await expectWideLinks(page, MIN_LINK_WIDTH[kind], `at ${width}`);
          if (width === 390 || width === 1280)
            await keepPicture(page, `${state.name}-${width}-${colorScheme}`);
        }
      }
    },
  );
});

async function expectWideLinks(page: Page, least: number, where: string): Promise<void> {
  const widths = await page
    .locator('.data-table tbody .row-link')
    .evaluateAll((links) => links.map((link) => link.closest('td')?.clientWidth ?? 0));
  expect(Math.min(Number.POSITIVE_INFINITY, ...widths), `the narrowest name ${where}`).toBeGreaterThanOrEqual(
    least,
  );
}
