import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { DEAD, servePanel } from './panel-host.ts';

describe.skipIf(chromiumSkipped)('with the keyboard alone', BROWSER_TIMEOUT, () => {
  it('a webhook is registered, tested, and a failed delivery is read and sent again', async () => {
    const recipient = await serveRecipient((_callback, response) => response.writeHead(500).end());
    const host = await servePanel();
    const page = await openGuarded(host.url);
    await page.getByText('No webhooks yet').waitFor();

    await tabTo(page, 'Add your first webhook');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // The first field has the focus already.
    await expect.poll(() => focused(page)).toContain('Name');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toContain('URL');
    await page.keyboard.type(recipient.url);
    await tabTo(page, 'All events, those added later included');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'All user events user.*');
    await page.keyboard.press('Space');
    await tabTo(page, 'Another event or pattern');
    await page.keyboard.type('order.*');
    await page.keyboard.press('Enter');
    await page.getByText('2 patterns chosen:').waitFor();
    await tabTo(page, 'Add webhook');
    await page.keyboard.press('Enter');

    await page.getByText('You see this secret only now').waitFor();
    await tabTo(page, 'I have stored it');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${host.url}/1`);
    expect((await host.webhooks.get(1)).events).toEqual(['user.*', 'order.*']);

    await tabTo(page, 'Send test event');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('The recipient answered HTTP 500').first().waitFor();
    await page.getByText('Given up after 2 attempts.').waitFor();
    await tabTo(page, 'Send again');
    await page.keyboard.press('Enter');
    await expect.poll(() => recipient.received.length).toBe(4);
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('webhook.test');
  });

  it('the focus goes to the next row when its own leaves the list, and stays at the pages at the end', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 22; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/${n}` });
    const page = await openGuarded(`${host.url}?activity=active&order=oldest`);
    await page.getByText('Showing 1 to 20 of 22').waitFor();
    await page.getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Showing 21 to 22 of 22').waitFor();
    await expect.poll(() => focused(page)).toBe('Previous');
    await page.getByRole('button', { name: 'More actions for http://127.0.0.1:9/21' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Pause http://127.0.0.1:9/21');
    await page.keyboard.press('Enter');
    await page.getByText('Showing 21 to 21 of 21').waitFor();
    await expect.poll(() => focused(page)).toBe('Select http://127.0.0.1:9/22');
    // A button that is pressed and stays has it back.
    await page.getByRole('button', { name: 'Send test event to http://127.0.0.1:9/22' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/A test event is on its way/).waitFor();
    await expect.poll(() => focused(page)).toBe('Send test event to http://127.0.0.1:9/22');
  });

  it('the arrows, Home and End move within the menu of a row, which stays open', async () => {
    const host = await servePanel();
    for (let n = 1; n <= 20; n += 1) await host.webhooks.create({ url: `http://127.0.0.1:9/${n}` });
    const page = await openGuarded(host.url);
    const opener = page.getByRole('button', { name: 'More actions for http://127.0.0.1:9/20' });
    await opener.press('Enter');
    await expect.poll(() => focused(page)).toBe('Pause http://127.0.0.1:9/20');
    for (const [key, name] of [
      ['End', 'Delete'],
      ['ArrowDown', 'Pause'],
      ['ArrowDown', 'Edit'],
      ['ArrowUp', 'Pause'],
      ['ArrowUp', 'Delete'],
      ['Home', 'Pause'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused(page)).toBe(`${name} http://127.0.0.1:9/20`);
    }
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('More actions for http://127.0.0.1:9/20');
  });

  it('a dialog keeps the focus, is left by Escape, and gives the focus back', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(`${host.url}/1`);
    await page.getByText('No deliveries yet').waitFor();
    await tabTo(page, 'Rotate secret');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret?' });
    await dialog.waitFor();
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(
        true,
      );
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Rotate secret');
  });
});

const MAX_TABS = 80;

/** Presses Tab until what is so called has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < MAX_TABS; step += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now === name) return;
    passed.push(now);
  }
  throw new Error(`Tab does not lead to "${name}", but to: ${passed.join(' | ')}`);
}

/** What has the focus, by the name that people read. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const label = element.labels?.[0]?.innerText;
    return (element.getAttribute('aria-label') ?? label ?? element.innerText ?? '').replace(/\\s+/g, ' ').trim();
  })()`);
}
