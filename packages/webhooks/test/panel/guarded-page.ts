import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { sharedChromium } from '../../../../test/services/chromium.ts';

/** Pages, and a machine that is busy with other suites. */
export const BROWSER_TIMEOUT = { timeout: 240_000 };
const PATIENCE_MS = 120_000;

/** Sums the layout shifts of a page as `window.shift`, for `addInitScript`. */
export const SUM_OF_SHIFTS = `window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** Data that managed to run says `trap()`. */
const TRAP = `
window.trap = (what) => console.error('trap: ' + what);
document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
`;

export interface GuardedPageOptions extends BrowserContextOptions {
  /** Default: the one that all tests share. */
  readonly browser?: Browser;
  /** Whether the browser may ask before the page is left. */
  readonly mayAsk?: boolean;
}

/**
 * Opens an address in a browser of its own, as to cookies and storage, until the test has finished.
 * The test fails if anything ever happened that must not: see {@link openWatched}.
 */
export async function openGuarded(url: string, options?: GuardedPageOptions): Promise<Page> {
  const { page, incidents } = await openWatched(url, options);
  onTestFinished(async () => {
    // What was said before its answer has been heard then.
    await page.evaluate('0');
    expect(incidents).toEqual([]);
  });
  return page;
}

/** As {@link openGuarded}, with the violations of the policy, scripts that ran from data, errors, and requests to anybody else. */
export async function openWatched(
  url: string,
  { browser, mayAsk = false, ...options }: GuardedPageOptions = {},
): Promise<{ readonly page: Page; readonly incidents: readonly string[] }> {
  const viewport = { width: 1280, height: 900 };
  const context = await (browser ?? (await sharedChromium())).newContext({ viewport, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(TRAP);
  const incidents: string[] = [];
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    if (!mayAsk) incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // A refusal of the API is no fault of the page: the browser reports it all the same.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) incidents.push(`console: ${message.text()}`);
  });
  const { origin } = new URL(url);
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) incidents.push(`foreign request: ${request.url()}`);
  });
  onTestFinished(() => context.close());
  await page.goto(url);
  return { page, incidents };
}

/**
 * Checks what is on the page now for what people with disabilities stumble over (WCAG 2.2 A and AA,
 * best practices).
 *
 * @param rules these alone
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  await settled(page);
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  expect(found).toEqual([]);
}

const SHOTS = fileURLToPath(new URL('../../coverage/panel-screenshots/', import.meta.url));

/** Keeps a picture of the page, for eyes: in a folder that git ignores. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await settled(page);
  await page.screenshot({ path: `${SHOTS}${name}.png`, fullPage: true });
}

/**
 * Waits until nothing moves but what never stops, so that colours and places are the final ones.
 */
async function settled(page: Page): Promise<void> {
  const moving = `document.getAnimations().filter(
    (one) => one.playState === 'running' && one.effect?.getTiming().iterations !== Infinity).length`;
  await expect.poll(() => page.evaluate(moving)).toBe(0);
}

/**
 * A page behind a dialog is locked and would hide everything: what scrolls inside the dialog is
 * asked as well.
 */
const TOO_WIDE = `[
  document.documentElement,
  ...document.querySelectorAll('[role="dialog"], [role="dialog"] *, .pattern-list'),
].filter((element) => {
  const isScroller = element === document.documentElement
    || ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX);
  return isScroller && element.clientWidth > 1 && element.scrollWidth > element.clientWidth;
}).map((element) => element.tagName + '.' + element.className + ': ' + element.scrollWidth + ' in ' + element.clientWidth)`;

/**
 * Fails unless the page and its dialog fit their width: nothing is cut off, nothing scrolls
 * sideways.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // The chart measures its place anew, a moment after that has changed.
  await expect.poll(() => page.evaluate(TOO_WIDE)).toEqual([]);
}

const LOOKS = [
  { width: 1280, media: { colorScheme: 'light', forcedColors: 'none' } },
  { width: 360, media: { colorScheme: 'light', forcedColors: 'none' } },
  { width: 768, media: { colorScheme: 'light', forcedColors: 'none' } },
  { width: 360, media: { colorScheme: 'dark', forcedColors: 'none' } },
  { width: 1920, media: { colorScheme: 'dark', forcedColors: 'none' } },
  { width: 1280, media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

/** Checks what is on the page now wide and narrow, light and dark, and in forced colours. */
export async function expectFineInEveryLook(page: Page): Promise<void> {
  for (const { width, media } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    await expectNoSidewaysScroll(page);
    // The system's colours are the user's own.
    if (media.forcedColors === 'none') await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
}
