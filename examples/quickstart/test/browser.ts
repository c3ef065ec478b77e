import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { endDemo, type RunningDemo, running, startDemo } from './demo-process.ts';

// Without windows, and therefore without the renderers of their tab strips.
const SHELL = '/usr/bin/chromium-headless-shell';
const executablePath = process.env.TEST_CHROMIUM_PATH ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
const PATIENCE_MS = 60_000;

/**
 * Whether there is no browser here; with `REQUIRE_SERVICES=1` tests that need one run, and fail.
 */
export const isBrowserMissing = !existsSync(executablePath) && process.env.REQUIRE_SERVICES !== '1';

/** Starts a browser that talks to loopback alone. */
async function launchBrowser(): Promise<Browser> {
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

/** A demo that runs, and a browser to look at it. */
export interface ShownDemo extends RunningDemo {
  process: ChildProcess;
  readonly browser: Browser;
}

/** Starts a demo and a browser for the tests of the surrounding `describe`, and gives them to it. */
export function useDemo(give: (demo: ShownDemo) => void, env: Readonly<Record<string, string>> = {}): void {
  let demo: ShownDemo | undefined;

  beforeAll(async () => {
    const process = startDemo(['--verbose'], env);
    demo = { ...(await running(process)), process, browser: await launchBrowser() };
    give(demo);
  }, 120_000);
  afterAll(async () => {
    await demo?.browser.close();
    await endDemo(demo?.process);
  });
}

/** Has no axe violation and no sideways scrolling, on a phone, a tablet and a desk. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  }
}
