import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const RLO = '\u202e';
const DESCRIPTION = `pay ${RLO}tnemyap`;

const SHOWN = `document.querySelector('.hidden-character')`;

/** The element's text from left to right as the browser draws it, without what is generated. */
const DRAWN = `(element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const letters = [];
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (let at = 0; at < data.length; at += 1) {
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const { left, top, width } = range.getBoundingClientRect();
      if (width > 0) letters.push({ letter: data[at], left, top });
    }
  }
  letters.sort((a, b) => a.top - b.top || a.left - b.left);
  return letters.map(({ letter }) => letter).join('');
}`;

describe.skipIf(chromiumSkipped)('text of others with hidden characters', BROWSER_TIMEOUT, () => {
  it('is drawn in its own order, with the controls visible, and copied as it is', async () => {
    const host = await servePanel();
    const { webhooks } = host;
    await webhooks.create({ url: 'https://hooks.example.com/in', description: DESCRIPTION });
    await webhooks.dispatch('user.created', { name: DESCRIPTION });
    const page = await openGuarded(host.url);
    await page.getByTitle('pay \\u{202e}tnemyap').waitFor();
    const drawn = () => page.evaluate(`(${DRAWN})(${SHOWN}.parentElement)`);
    expect(await drawn()).toContain('tnemyap');

    await page.goto(`${host.url}/1`);
    await page.locator('.hidden-character').first().waitFor();
    expect(await drawn()).toContain('tnemyap');
    expect(await page.evaluate(`getComputedStyle(${SHOWN}, '::before').content`)).toBe('"\\\\u{202e}"');
    expect(await page.evaluate(`${SHOWN}.parentElement.textContent`)).toBe(DESCRIPTION);

    const [delivery] = (await webhooks.deliveries(1)).deliveries;
    await page.goto(`${host.url}/1?delivery=${delivery?.deliveryId}`);
    const body = page.getByRole('region', { name: 'Body sent' });
    await body.locator('.hidden-character').waitFor();
    expect(await body.textContent()).toContain(`"name": ${JSON.stringify(DESCRIPTION)}`);
  });

  it('is a plain text if there are too many of them for an element each', async () => {
    const host = await servePanel();
    const { webhooks } = host;
    await webhooks.create({ url: 'https://hooks.example.com/in' });
    await webhooks.dispatch('user.created', { few: RLO.repeat(100) });
    await webhooks.dispatch('user.updated', { many: RLO.repeat(20_000) });
    const [many, few] = (await webhooks.deliveries(1)).deliveries;
    const page = await openGuarded(`${host.url}/1?delivery=${few?.deliveryId}`);
    const body = page.getByRole('region', { name: 'Body sent' });
    await body.getByText('"few"').waitFor();
    expect(await body.locator('.hidden-character').count()).toBe(100);
    await page.goto(`${host.url}/1?delivery=${many?.deliveryId}`);
    await body.getByText('"many"').waitFor();
    expect(await body.locator('.hidden-character').count()).toBe(0);
    expect(await body.textContent()).toContain('\ufffd'.repeat(20_000));
  });

  it('tells two URLs apart that differ by a hidden character alone, wherever one is shown', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: 'https://hooks.example.com/pay\u200bpal' });
    const page = await openGuarded(host.url);
    const hidden = page.locator('[data-escape="\\\\u{200b}"]');
    await page.getByRole('row').filter({ has: hidden }).waitFor();
    await page.goto(`${host.url}/${id}`);
    await page.getByRole('heading', { level: 1 }).filter({ has: hidden }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').filter({ has: hidden }).waitFor();
  });
});
