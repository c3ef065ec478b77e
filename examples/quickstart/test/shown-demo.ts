import type { ChildProcess } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { sharedChromium } from '../../../test/services/chromium.ts';
import { endDemo, running, startDemo } from './demo-process.ts';

const PATIENCE_MS = 60_000;

/** A demo that runs, in a browser. */
export interface ShownDemo {
  readonly url: string;
  /** Opens a page with cookies of its own, and says what goes wrong in it. */
  open(url?: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }>;
}

/** Starts a demo for the tests of the surrounding `describe`. */
export function useDemo(give: (demo: ShownDemo) => void): void {
  let demo: ChildProcess | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    demo = startDemo();
    const url = await running(demo);
    browser = await sharedChromium();
    give({ url, open: (path = url) => openPage(browser, path) });
  });
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    await endDemo(demo);
  });
}

async function openPage(browser: Browser | undefined, url: string) {
  if (browser === undefined) throw new Error('There is no browser yet');
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(url);
  return { page, faults };
}
