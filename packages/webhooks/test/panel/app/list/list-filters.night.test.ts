import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  openGuarded,
} from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const DEAD = 'http://127.0.0.1:9';

describe.skipIf(chromiumSkipped)('the filters of webhooks', BROWSER_TIMEOUT, () => {
  it('say how many there are of each, and narrow together', async () => {
    const host = await startWithFailures();
    const page = await openGuarded(host.url);
    await page.getByRole('radio', { name: 'Down 2' }).check();
    await page.getByText('Showing 1 to 2 of 2').waitFor();
    // The other chips count within what is chosen.
    await page.getByRole('radio', { name: 'Paused 1' }).check();
    await page.getByText('Showing 1 to 1 of 1').waitFor();
    await page.getByRole('radio', { name: 'Degraded 0' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=down&activity=paused');
    await page.reload();
    await page.getByText('Showing 1 to 1 of 1').waitFor();
    await expectAccessible(page);
  });

  it('count anew what a told change has made old, after a while', async () => {
    const host = await startWithFailures();
    const page = await openGuarded(host.url);
    await page.clock.install();
    await page.goto(host.url);
    await expect.poll(() => page.locator('.facet-count').count()).toBe(3);
    await page.getByRole('radio', { name: 'Paused 1' }).waitFor();
    await page.getByText('Updated just now').waitFor();
    const before = host.requests.length;
    const { id } = await host.webhooks.create({ url: `${DEAD}/new`, isActive: false });
    await page.clock.runFor(6_000);
    await page.getByRole('link', { name: `${DEAD}/new` }).waitFor();
    // The list alone.
    expect(host.requests.slice(before).filter((one) => one === 'GET /api/admin/webhooks').length).toBe(1);
    await page.clock.runFor(15_000);
    await page.getByRole('radio', { name: 'Paused 2' }).waitFor();
    // What was done here is counted at once.
    await page.getByRole('button', { name: `More actions for ${DEAD}/new` }).click();
    await page.getByRole('button', { name: `Activate ${DEAD}/new` }).click();
    await page.getByRole('radio', { name: 'Paused 1' }).waitFor();
    expect((await host.webhooks.get(id)).isActive).toBe(true);
  });

  it('find those that subscribe to an event by its name', async () => {
    const host = await startWithFailures();
    const page = await openGuarded(host.url);
    await page.getByLabel('Search in URL, name, description and events').fill('order.paid');
    await page.getByText('Showing 1 to 2 of 2').waitFor();
    const names = page.locator('tbody .row-link');
    expect(await names.evaluateAll((links) => links.map((link) => link.textContent))).toEqual([
      `${DEAD}/orders`,
      `${DEAD}/paid`,
    ]);
  });

  it('are in a sheet on a phone, which Escape closes', async () => {
    const host = await startWithFailures();
    const viewport = { width: 390, height: 844 };
    const page = await openGuarded(host.url, { viewport });
    const down = page.getByRole('radio', { name: /^Down/ });
    await page.getByText('Showing 1 to').waitFor();
    expect(await down.isVisible()).toBe(false);
    const opener = page.getByRole('button', { name: 'Filters' });
    await opener.click();
    await page.getByRole('radio', { name: 'Down 2' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    const box = await page.locator('.filter-sheet').boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844);
    await down.check();
    await page.keyboard.press('Escape');
    await expect.poll(() => down.isVisible()).toBe(false);
    await page.getByText('Showing 1 to 2 of 2').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(() => down.isVisible()).toBe(true);
    expect(await opener.isVisible()).toBe(false);
  });
});

/** Two are down, one of which is paused; two more subscribe to orders. */
async function startWithFailures() {
  const host = await servePanel();
  const { id } = await host.webhooks.create({ url: `${DEAD}/a`, events: ['user.*'] });
  await host.webhooks.create({ url: `${DEAD}/b`, events: ['user.*'] });
  for (let n = 0; n < 3; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
  // The retries are due a moment after the first attempts.
  await expect
    .poll(async () => {
      await host.webhooks.drain();
      return (await host.webhooks.searchDeliveries({ status: 'pending' })).deliveries.length;
    })
    .toBe(0);
  await host.webhooks.update(id, { isActive: false });
  await host.webhooks.create({ url: `${DEAD}/paid`, events: ['order.paid'] });
  await host.webhooks.create({ url: `${DEAD}/orders`, events: ['order.*'] });
  await host.webhooks.create({ url: `${DEAD}/all` });
  return host;
}
