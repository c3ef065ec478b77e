import type { BrowserContext } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { alive, type StatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openTab, openThree, pass, useStatusServer } from './tabs.ts';

const MINUTE = 60;

/** Holds every message back for the time of a request, in order. */
const SLOW_MESSAGES = `{
  const listen = BroadcastChannel.prototype.addEventListener;
  let before = Promise.resolve();
  BroadcastChannel.prototype.addEventListener = function (type, listener) {
    listen.call(this, type, (event) => {
      before = before.then(() => fetch('/login')).then(() => listener(event));
    });
  };
}`;

describe.skipIf(chromiumSkipped)('the status poll of several tabs', BROWSER_TIMEOUT, () => {
  let server: StatusServer;
  let context: BrowserContext;

  useStatusServer((...given) => {
    [server, context] = given;
  });

  describe('led by one of them', () => {
    it.each(['closed', 'stopped', 'hidden'])('goes on when the tab that polled is %s', async (how) => {
      const [first, second, leader] = await openThree(context, server);
      if (how === 'closed') await leader.close();
      if (how === 'stopped') await leader.evaluate('poll.stop()');
      if (how === 'hidden') await leader.evaluate('hide()');
      await pass(first, 71);
      expect(server.polls.length).toBe(4);
      await pass(first, 62);
      expect(server.polls.length).toBe(5);
      await expect.poll(() => heard(second, 'refreshed')).toBe(4);
    });

    it('polls in the tab that is looked at, while the others only stand by', async () => {
      const [first, second, leader] = await openThree(context, server);
      for (const tab of [second, leader]) await tab.evaluate('hide()');
      await pass(first, 10 * MINUTE);
      expect(server.polls.length).toBeLessThanOrEqual(3 + 11);
      await first.evaluate('hide()');
      const before = server.polls.length;
      await pass(first, 10 * MINUTE);
      // Once in the life of a token, whichever tab it is.
      expect(server.polls.length - before).toBeLessThanOrEqual(4);
      expect(server.polls.length - before).toBeGreaterThanOrEqual(2);
    });

    it('ends in every tab when one is told that the session is over', async () => {
      const tabs = await openThree(context, server);
      server.answer = () => ({ status: 401 });
      await pass(tabs[0], MINUTE);
      await expect.poll(() => Promise.all(tabs.map((tab) => heard(tab, 'revoked')))).toEqual([1, 1, 1]);
      await pass(tabs[0], 10 * MINUTE, MINUTE);
      expect(server.polls.length).toBe(5);
    });

    it('carries a log-out in one tab to the others at once', async () => {
      const tabs = await openThree(context, server);
      server.answer = () => ({ status: 401 });
      expect(await tabs[1].evaluate('poll.pollNow()')).toBe('revoked');
      await expect.poll(() => Promise.all(tabs.map((tab) => heard(tab, 'revoked')))).toEqual([1, 1, 1]);
      expect(server.polls.length).toBe(5);
    });

    it('tells the other tabs who has logged in, and never the new tab who was there before', async () => {
      const old = await openTab(context, server);
      await pass(old, 2);
      server.answer = () => alive(300, '8');
      const fresh = await openTab(context, server);
      await expect.poll(() => old.evaluate('log.at(-1)[1].uid')).toBe('8');
      const before = Number(await fresh.evaluate('Date.now()')) - 1_000;
      await old.evaluate(`tell({ sentAt: ${before}, status: 500, retryAfterMs: 0 })`);
      await old.evaluate(`tell({ sentAt: ${before + 1_000}, status: 401, retryAfterMs: 0 })`);
      await expect.poll(() => heard(fresh, 'revoked')).toBe(1);
      expect(await fresh.evaluate('log.map(([kind]) => kind)')).toEqual(['refreshed', 'revoked']);
    });

    it('shares the pauses of a failing server', async () => {
      const tabs = await openThree(context, server);
      server.answer = () => ({ status: 503, headers: { 'retry-after': '600' } });
      await pass(tabs[0], MINUTE);
      expect(server.polls.length).toBe(4);
      await expect.poll(() => Promise.all(tabs.map((tab) => heard(tab, 'failed')))).toEqual([1, 1, 1]);
      for (const tab of tabs) await tab.evaluate('hide(); show()');
      await pass(tabs[0], 9 * MINUTE);
      expect(server.polls.length).toBe(4);
    });

    it('sends one request when all come online at the same moment', async () => {
      const tabs = await openThree(context, server);
      await context.setOffline(true);
      await pass(tabs[0], 5 * MINUTE);
      await context.setOffline(false);
      await expect.poll(() => server.polls.length).toBe(4);
      await pass(tabs[0], 10);
      expect([server.polls.length, server.mostAtOnce]).toEqual([4, 1]);
    });
  });

  describe('in turns', () => {
    it('asks no second time for what another tab asks for, however late its message comes', async () => {
      // Messages that take longer than it takes to hand on the turn.
      await context.addInitScript(SLOW_MESSAGES);
      const tabs = await openThree(context, server);
      const held: (() => void)[] = [];
      server.answer = () => new Promise((answer) => held.push(() => answer(alive())));
      await context.clock.runFor(1_000);
      // All three want to poll now; one gets the turn.
      await Promise.all(tabs.map((tab) => tab.evaluate('hide(); show()')));
      await expect.poll(() => held.length).toBe(1);
      const before = server.polls.length;
      server.answer = () => alive();
      held[0]?.();
      await Promise.all(tabs.map((tab) => tab.evaluate('settled()')));
      await expect.poll(() => Promise.all(tabs.map((tab) => heard(tab, 'refreshed')))).toEqual([4, 3, 2]);
      await pass(tabs[0], 50);
      expect([server.polls.length - before, server.mostAtOnce]).toEqual([0, 1]);
    });

    it('takes the turn from a tab that was frozen with it', async () => {
      const holder = await openTab(context, server);
      const tab = await openTab(context, server);
      await holder.evaluate('poll.stop(); hog()');
      await context.clock.runFor(61_000);
      expect(server.polls.length).toBe(2);
      await context.clock.runFor(20_000);
      await expect.poll(() => server.polls.length).toBe(3);
      await expect.poll(() => heard(tab, 'refreshed')).toBe(2);
      expect(await holder.evaluate('log.at(-1)')).toEqual(['lock lost']);
    });
  });

  describe('on a message', () => {
    it.each([
      'null',
      '"revoked"',
      '{}',
      '{ status: 500, retryAfterMs: 0 }',
      "{ sentAt: 'now', status: 500, retryAfterMs: 0 }",
      "{ sentAt: Date.now(), status: '500', retryAfterMs: 0 }",
      '{ sentAt: Date.now(), status: 500 }',
      '{ sentAt: Date.now(), status: 500, retryAfterMs: Infinity }',
      '{ sentAt: Date.now(), status: NaN, retryAfterMs: 0 }',
    ])('ignores the message %s', async (message) => {
      const tab = await openTab(context, server);
      await tab.evaluate(`tell(${message})`);
      // Messages arrive in the order in which they were sent.
      await tab.evaluate('tell({ sentAt: Date.now(), status: 401, retryAfterMs: 0 })');
      await expect.poll(() => heard(tab, 'revoked')).toBe(1);
      expect(await tab.evaluate('log.length')).toBe(2);
    });

    it('shares the lock of tabs with an older script, and hears none of their messages', async () => {
      const tab = await openTab(context, server);
      await tab.evaluate('tell({ sentAt: Date.now(), status: 401, retryAfterMs: 0 }, 1)');
      await tab.evaluate('hog()');
      const result = tab.evaluate('poll.pollNow()');
      await tab.evaluate('tell({ sentAt: Date.now(), status: 500, retryAfterMs: 0 })');
      await expect.poll(() => heard(tab, 'failed')).toBe(1);
      expect([server.polls.length, await heard(tab, 'revoked')]).toEqual([1, 0]);
      await tab.evaluate('poll.stop()');
      expect(await result).toBe('stopped');
    });
  });

  describe('without locks or messages', () => {
    it('keeps one rhythm by messages alone where there are no Web Locks', async () => {
      await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
      await context.addInitScript('Math.random = () => 0.5');
      const tabs = [await openTab(context, server), await openTab(context, server)] as const;
      await expect.poll(() => heard(tabs[0], 'refreshed')).toBe(2);
      await pass(tabs[0], 5 * MINUTE);
      await expect.poll(() => heard(tabs[0], 'refreshed')).toBe(7);
      await expect.poll(() => heard(tabs[1], 'refreshed')).toBe(6);
      expect(server.polls.length).toBe(7);
      expect(server.mostAtOnce).toBe(1);
    });

    it.each([
      ['missing', 'delete window.BroadcastChannel'],
      ['refused', 'window.BroadcastChannel = class { constructor() { throw new Error("SecurityError") } }'],
    ])('polls in each tab for itself where BroadcastChannel is %s', async (_, script) => {
      await context.addInitScript(script);
      const tabs = [await openTab(context, server), await openTab(context, server)] as const;
      // One that is due while the other polls asks a second after it.
      await pass(tabs[0], MINUTE + 3);
      await expect.poll(() => heard(tabs[0], 'refreshed')).toBe(2);
      await expect.poll(() => heard(tabs[1], 'refreshed')).toBe(2);
      expect(server.polls.length).toBe(4);
    });

    it('polls once more where a message never arrives, a second after the turn was passed on', async () => {
      await context.addInitScript('BroadcastChannel.prototype.postMessage = () => {}');
      await context.addInitScript('Math.random = () => 0.5');
      const tabs = [await openTab(context, server), await openTab(context, server)] as const;
      let answer = (): void => {};
      server.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve(alive());
        });
      // Both are due at the same moment.
      await context.clock.runFor(57_500);
      await expect.poll(() => server.polls.length).toBe(3);
      server.answer = () => alive();
      answer();
      await Promise.all(tabs.map((tab) => tab.evaluate('settled()')));
      await pass(tabs[0], 0.9);
      expect(server.polls.length).toBe(3);
      await pass(tabs[0], 0.9);
      expect([server.polls.length, server.mostAtOnce]).toEqual([4, 1]);
    });

    it('polls where the browser denies locks', async () => {
      await context.addInitScript(
        "navigator.locks.request = () => Promise.reject(new DOMException('denied', 'SecurityError'))",
      );
      const tab = await openTab(context, server);
      expect([server.polls.length, await heard(tab, 'refreshed')]).toEqual([1, 1]);
    });
  });
});
