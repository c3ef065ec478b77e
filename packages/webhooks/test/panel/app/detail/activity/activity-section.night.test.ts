import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../../test/services/chromium.ts';
import { serveRecipient } from '../../../../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  openGuarded,
} from '../../../guarded-page.ts';
import { DEAD, servePanel } from '../../../panel-host.ts';

describe.skipIf(chromiumSkipped)('the numbers of a webhook', BROWSER_TIMEOUT, () => {
  it('of a day, a week and a month begin its page, and choose deliveries of the history', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient(({ body }, response) => {
      response.writeHead(JSON.parse(body).data.n === 0 ? 500 : 200).end();
    });
    const { id } = await host.webhooks.create({ url: recipient.url });
    for (let n = 0; n < 4; n += 1) await host.webhooks.dispatch('order.created', { n });
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/${id}`);
    const section = page.getByRole('region', { name: 'Deliveries over time' });
    await section.getByText('All kept: total 4 · success 3 · failed 1').waitFor();
    const parts = section.locator('.stat');
    await expect.poll(() => parts.first().innerText()).toMatch(/^24 hours\s+4 75%\s+1 failed$/);
    expect(await parts.nth(3).innerText()).toMatch(/^Pending\s+0$/);
    expect(await parts.last().innerText()).toMatch(
      /^Response time \(p95\)\s+\S+ ms\s+Of the last 5 attempts$/,
    );
    const plot = await page.locator('.chart-plot').boundingBox();
    expect(plot?.height).toBe(72);

    const rows = page.getByRole('table', { name: 'Delivery history' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    await section.getByRole('button', { name: '1 failed' }).first().click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    await section.getByText('Only deliveries since').waitFor();

    // The last bar is the present hour, and the first has nothing. Other filters stay.
    await page.locator('.chart-bar').last().click();
    await page.waitForURL(/to=/);
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('radio', { name: 'All' }).check();
    await expect.poll(() => rows.count()).toBe(4);
    await page.locator('.chart-bar').first().click();
    await page.getByText('No delivery matches').waitFor();
    await section.getByRole('button', { name: 'Any time' }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await section.getByText('Show the numbers').click();
    await section.getByRole('table').getByRole('button').press('Enter');
    await section.getByText('Only deliveries from').waitFor();
    await expect.poll(() => rows.count()).toBe(4);
    await section.getByRole('button', { name: '30 days' }).click();
    expect(await section.getByRole('button', { name: '30 days' }).getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  });

  it.each(['/1', '/deliveries'])('are chosen by dragging over hours, also by touch: %s', async (path) => {
    const host = await servePanel({ webhook: { url: DEAD } });
    await host.deliver('order.created', {});
    const options = { hasTouch: true, viewport: { width: 800, height: 600 } };
    const page = await openGuarded(host.url + path, options);
    await page.locator('.chart-bar > .series').waitFor();
    await page.locator('.chart-plot').scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate<number>('scrollY');
    const middleOf = async (index: number) => {
      const box = await page.locator('.chart-bar').nth(index).boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const hoursChosen = () => {
      const { searchParams } = new URL(page.url());
      return (
        (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 3_600_000
      );
    };
    const [fourth, sixth] = [await middleOf(3), await middleOf(5)];
    await page.mouse.move(sixth.x, sixth.y);
    await page.mouse.down();
    await page.mouse.move(fourth.x, fourth.y, { steps: 3 });
    expect(await page.locator('.chart-bar[data-chosen]').count()).toBe(3);
    await page.mouse.up();
    await expect.poll(hoursChosen).toBe(3);
    await page.getByText('No delivery matches').waitFor();
    expect(await page.locator('.chart-bar[data-chosen]').count()).toBe(3);

    const devtools = await page.context().newCDPSession(page);
    // A fast drag is let go before its last move is drawn.
    type Doing = 'mousePressed' | 'mouseMoved' | 'mouseReleased';
    const mouse = async (type: Doing, { x, y }: { x: number; y: number }) =>
      devtools.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
    await mouse('mousePressed', await middleOf(2));
    const eleventh = await middleOf(10);
    await Promise.all([mouse('mouseMoved', eleventh), mouse('mouseReleased', eleventh)]);
    await expect.poll(hoursChosen).toBe(9);
    const touch = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      const points = [0, 0.3, 0.6, 1].map((part) => ({
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
      }));
      for (const [n, point] of points.entries()) {
        const type = n === 0 ? 'touchStart' : 'touchMove';
        await devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [point] });
      }
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await touch(await middleOf(1), await middleOf(22));
    await expect.poll(hoursChosen).toBe(22);
    // Up and down the page scrolls, and nothing is chosen.
    const before = page.url();
    const { x, y } = await middleOf(8);
    await touch({ x, y }, { x, y: y - 200 });
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(scrolled);
    expect(page.url()).toBe(before);
    expect(await page.locator('.chart-bar[data-chosen]').count()).toBe(22);
  });

  it('are a part of its page, beside its settings and its verification, each with an address', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const page = await openGuarded(`${host.url}/${id}`);
    const numbers = page.getByRole('region', { name: 'Deliveries over time' });
    await numbers.waitFor();
    for (const [name, region] of [
      ['Settings', 'About this webhook'],
      ['Verify', 'Verification code for the recipient'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('region', { name: region }).waitFor();
      expect(await numbers.count()).toBe(0);
      expect(await page.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
      await page.reload();
      await page.getByRole('region', { name: region }).waitFor();
      await expectAccessible(page);
    }
    await page.goBack();
    await page.goBack();
    await numbers.waitFor();
  });
});
