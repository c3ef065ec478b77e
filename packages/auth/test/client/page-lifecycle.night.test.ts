import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { type Answer, alive, type StatusServer, startStatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openContext, openTab, pass } from './tabs.ts';

describe.skipIf(chromiumSkipped)('the status poll of a page that stands still', BROWSER_TIMEOUT, () => {
  let server: StatusServer;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    const options = { ignoreDefaultArgs: ['--disable-back-forward-cache'] };
    [server, browser] = await Promise.all([startStatusServer(), launchChromium(options)]);
  });
  afterAll(() => Promise.all([browser.close(), server.close()]));
  beforeEach(async () => {
    server.reset();
    context = await openContext(browser);
  });
  afterEach(() => context.close());

  it('does not keep the page out of the back-forward cache, and polls at once when it comes back', async () => {
    // The driver loses its hold on a page that comes back, so clocks run and the server tells what
    // happened.
    const running = await browser.newContext();
    const tab = await running.newPage();
    await tab.goto(server.origin);
    await tab.waitForFunction('window.start !== undefined');
    await tab.evaluate('start({ onRevoked: () => fetch("/revoked") })');
    await expect.poll(() => tab.evaluate('log.length')).toBe(1);
    server.answer = () => ({ status: 401 });
    await tab.goto(`${server.origin}/login`);
    // A browser throws away a cached page that would have to hear of a message.
    const channel = `@acme/auth/status/2:${server.origin}/auth/status`;
    await tab.evaluate(`new BroadcastChannel('${channel}').postMessage(1)`);
    await tab.evaluate('history.back()').catch(() => undefined);
    await expect.poll(() => server.visits).toContain('GET /revoked');
    expect(server.visits).toContain('GET /restored');
    expect(server.polls.length).toBe(3);
    await running.close();
  });

  it('holds no lock in a page that is being left', async () => {
    const left = await openTab(context, server);
    const locks = 'navigator.locks.query().then(({ held }) => held.length)';
    expect(await left.evaluate(locks)).toBe(0);
    server.answer = () => new Promise<Answer>(() => {});
    await left.evaluate('poll.pollNow(), 0');
    await expect.poll(() => server.polls.length).toBe(2);
    expect(await left.evaluate(locks)).toBe(1);
    await left.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
    await expect.poll(() => left.evaluate(locks)).toBe(0);
  });

  it('goes on in another tab when it is frozen, request under way included, and at once when it goes on', async () => {
    const frozen = await openTab(context, server);
    const other = await openTab(context, server);
    await expect.poll(() => heard(frozen, 'refreshed')).toBe(2);
    server.answer = () => new Promise<Answer>(() => {});
    const result = frozen.evaluate('window.result = poll.pollNow(), 0').then(() => frozen.evaluate('result'));
    await expect.poll(() => server.polls.length).toBe(3);
    await frozen.evaluate("document.dispatchEvent(new Event('freeze'))");
    expect(await result).toBe('stopped');
    expect(await frozen.evaluate('poll.pollNow()')).toBe('stopped');

    server.answer = () => alive();
    await pass(other, 71);
    expect(server.polls.length).toBe(4);
    expect(server.mostAtOnce).toBe(1);

    await context.clock.runFor(2_000);
    await frozen.evaluate("document.dispatchEvent(new Event('resume'))");
    await expect.poll(() => server.polls.length).toBe(5);
    expect(await heard(frozen, 'failed')).toBe(0);
  });

  it('does not poll when a hidden tab goes on and its token is still good', async () => {
    const tab = await openTab(context, server);
    await tab.evaluate("hide(); document.dispatchEvent(new Event('freeze'))");
    await context.clock.runFor(100_000);
    await tab.evaluate("document.dispatchEvent(new Event('resume'))");
    await pass(tab, 60);
    expect(server.polls.length).toBe(1);
    await pass(tab, 60);
    expect(server.polls.length).toBe(2);
  });
});
