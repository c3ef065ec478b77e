import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

// Without windows, and therefore without the renderers of their tab strips.
const SHELL = '/usr/bin/chromium-headless-shell';
const executablePath = process.env.TEST_CHROMIUM_PATH ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
const PATIENCE_MS = 60_000;

/**
 * Whether there is no browser here; with `REQUIRE_SERVICES=1` tests that need one run, and fail.
 */
export const isBrowserMissing = !existsSync(executablePath) && process.env.REQUIRE_SERVICES !== '1';

/** Starts a browser that talks to loopback alone. */
export async function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
  ];
  return await chromium.launch({ executablePath, headless: true, args });
}

/** A page with cookies of its own, and what went wrong in it. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A refusal of the API is no fault of the page: the browser reports it all the same.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults };
}
