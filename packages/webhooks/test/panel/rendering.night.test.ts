import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { servePanel } from './panel-host.ts';

const DAY_MS = 86_400_000;
const NARROW = { width: 360, height: 740 };

describe.skipIf(chromiumSkipped)('rendering', BROWSER_TIMEOUT, () => {
  it('every one of many patterns can be reached, by pointer and by keyboard', async () => {
    const host = await servePanel();
    const events = Array.from({ length: 60 }, (_, n) => `area${n}.${'long-name-'.repeat(4)}${n}.*`);
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', events });
    const page = await openGuarded(host.url);
    const count = page.getByRole('button', { name: /^60 patterns of/ });
    const list = page.getByRole('region', { name: 'Patterns of http://127.0.0.1:9/hook' });
    const last = list.getByText(events.at(-1) ?? '');
    await count.hover();
    await list.waitFor();
    // From the number into the list, and down in it.
    await list.hover();
    await page.mouse.wheel(0, 10_000);
    await expect.poll(() => isInView(list, last)).toBe(true);
    await page.mouse.move(0, 0);
    await list.waitFor({ state: 'hidden' });

    await count.focus();
    await page.keyboard.press('Enter');
    await list.waitFor();
    await page.keyboard.press('Tab');
    await expect
      .poll(() => list.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press('End');
    await expect.poll(() => isInView(list, last)).toBe(true);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });

    await count.click();
    await page.mouse.move(0, 0);
    await list.waitFor();
    await page.setViewportSize(NARROW);
    await expectNoSidewaysScroll(page);
  });

  it('the chart moves on with the time', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const page = await openGuarded(host.url);
    const asked: number[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      const from = url.searchParams.get('from');
      if (url.pathname.endsWith('/activity') && from !== null) asked.push(Date.parse(from));
    });
    const now = Date.now();
    await page.clock.setFixedTime(now);
    await page.goto(`${host.url}/${id}`);
    await expect.poll(() => asked.length).toBe(1);
    await page.clock.setFixedTime(now + 3 * DAY_MS);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect.poll(() => asked.at(-1)).toBe((asked[0] ?? 0) + 3 * DAY_MS);
  });

  it('shows times in the zone of who looks, and the exact instant, in UTC as well', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const { createdAt } = await host.webhooks.get(id);
    const options = { timezoneId: 'Asia/Kathmandu', locale: 'en-GB' };
    const page = await openGuarded(`${host.url}/${id}?tab=settings`, options);
    const time = page.locator(`time[datetime="${createdAt}"]`).first();
    await time.waitFor();
    const shown = { timeZone: options.timezoneId, hour: '2-digit', minute: '2-digit' } as const;
    expect(await time.innerText()).toContain(
      new Intl.DateTimeFormat('en-GB', shown).format(new Date(createdAt)),
    );
    expect(await time.innerText()).toContain(`(${createdAt})`);
    expect(await time.innerText()).toContain('GMT+5:45');
    await page.getByText(/Asia\/Kath?mandu/).waitFor();
  });

  it('an administrator with the name and uid of another but for a hidden character does not look alike', async () => {
    const [uid, name] = ['7\u2060', 'A\u200bda <img src=x onerror=trap(1)>'];
    const host = await servePanel({ api: { describeActors: async () => new Map([[uid, name]]) } });
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', createdByUid: uid });
    const page = await openGuarded(`${host.url}/${id}?tab=settings`);
    const about = page.getByRole('region', { name: 'About this webhook' });
    await about.getByText(`by ${name} (${uid})`).waitFor();
    const hidden = about.locator('bdi .hidden-character');
    const escapes = await hidden.evaluateAll((all) => all.map((one) => one.getAttribute('data-escape')));
    expect(escapes).toEqual(['\\u{200b}', '\\u{2060}']);
  });
});

type Located = ReturnType<Page['locator']>;

// An element that the page has just replaced has no box: tests measure again.

async function isInView(frame: Located, element: Located): Promise<boolean> {
  const [outer, inner] = [await frame.boundingBox(), await element.boundingBox()];
  if (outer === null || inner === null) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height + 1;
}
