import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { sharedChromium } from '../../../../test/services/chromium.ts';
import { type StatusServer, startStatusServer } from './status-server.ts';

/** Where the clocks of all pages stand until they are moved: six years before the server's. */
const START = new Date('2026-11-20T04:10:00Z');

/** Pages, and a machine that is busy with other suites. */
export const BROWSER_TIMEOUT = { timeout: 240_000 };

/**
 * Starts a server and a browser for the tests of the surrounding `describe`, and gives each test
 * the server, reset, and a context of its own.
 */
export function useStatusServer(give: (server: StatusServer, context: BrowserContext) => void): void {
  let server: StatusServer;
  let context: BrowserContext;

  beforeAll(async () => {
    server = await startStatusServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.reset();
    context = await openContext();
    give(server, context);
  });
  afterEach(() => context.close());
}

/** A browser of its own, as to cookies, locks and channels, whose pages' clocks stand still. */
export async function openContext(browser?: Browser): Promise<BrowserContext> {
  const context = await (browser ?? (await sharedChromium())).newContext();
  await context.clock.install({ time: START });
  await context.clock.pauseAt(START.getTime() + 1_000);
  return context;
}

/** Opens a tab on the server's page, without a poll. */
export async function openPage(context: BrowserContext, server: Pick<StatusServer, 'origin'>): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(server.origin);
  await tab.waitForFunction('window.start !== undefined');
  return tab;
}

/**
 * Opens a tab, starts a poll in it with options written in JavaScript, and waits for its first
 * callback.
 */
export async function openTab(context: BrowserContext, server: StatusServer, options = '{}'): Promise<Page> {
  const tab = await openPage(context, server);
  await tab.evaluate(`start((${options}))`);
  await expect.poll(() => tab.evaluate('log.length')).toBeGreaterThan(0);
  return tab;
}

/**
 * How far the clocks move at once: less than the second for which a tab waits for the message of
 * one that has the lock, which arrives in real time.
 */
const STEP_SECONDS = 0.9;

/**
 * Moves the clocks of all tabs step by step. A tab that is due polls, and is answered, before the
 * next step.
 */
export async function pass(tab: Page, seconds: number, step: number = STEP_SECONDS): Promise<void> {
  for (let rest = seconds; rest > 0; rest -= step) {
    await tab.context().clock.runFor(Math.min(rest, step) * 1_000);
    await tab.evaluate('settled()');
  }
}

/** How often a tab's callback of one kind was called. */
export async function heard(tab: Page, kind: 'refreshed' | 'revoked' | 'failed'): Promise<unknown> {
  return await tab.evaluate(`heard('${kind}')`);
}

/**
 * Three tabs that all know of the last one's first answer. The first is due before the others, which
 * have seconds to hear of its poll.
 */
export async function openThree(context: BrowserContext, server: StatusServer): Promise<[Page, Page, Page]> {
  const open = (random: number) => openTab(context, server, `Math.random = () => ${random}, {}`);
  const tabs: [Page, Page, Page] = [await open(0), await open(0.4), await open(0.8)];
  expect(server.polls.length).toBe(3);
  await expect.poll(() => heard(tabs[0], 'refreshed')).toBe(3);
  await expect.poll(() => heard(tabs[1], 'refreshed')).toBe(2);
  return tabs;
}
