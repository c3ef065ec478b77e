import type { Page } from 'playwright-core';
import type { PanelHost } from './panel-host.ts';

/** Opens the list, and waits for the answers to all its reads: that of the events is the last. */
export async function openCompletely(page: Page, host: PanelHost): Promise<void> {
  // Reads of the page before would count as well.
  await page.goto('about:blank');
  const answered = ['/events', '/overview'].map((path) =>
    page.waitForResponse(`${host.origin}/api/admin/webhooks${path}`),
  );
  await page.goto(host.url);
  await page.getByText('Updated just now').waitFor();
  await Promise.all(answered);
}
