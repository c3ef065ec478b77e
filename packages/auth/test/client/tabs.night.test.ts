import type { BrowserContext } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { alive, type StatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openTab, openThree, pass, useStatusServer } from './tabs.ts';

const MINUTE = 60;

/** Holds every message back for the time of a request. */
const SLOW_MESSAGES = `{
  const listen = BroadcastChannel.prototype.addEventListener;
  BroadcastChannel.prototype.addEventListener = function (type, listener) {
    listen.call(this, type, (event) => fetch('/login').then(() => listener(event)));
  };
}`;

describe.skipIf(chromiumSkipped)('the status poll of several tabs', BROWSER_TIMEOUT, () => {
  let server: StatusServer;
  let context: BrowserContext;

  useStatusServer((...given) => {
    [server, context] = given;
  });

  describe('that share their polls', () => {
    it.each(['closed', 'stopped', 'hidden'])('goes on when the tab that polled is %s', async (how) => {
      const [polling, second, third] = await openThree(context, server);
      if (how === 'closed') await polling.close();
      if (how === 'stopped') await polling.evaluate('poll.stop()');
      if (how === 'hidden') await polling.evaluate('hide()');
      await pass(second, MINUTE);
      expect(server.polls.length).toBe(4);
      await pass(second, MINUTE);
      expect(server.polls.length).toBe(5);
      await expect.poll(() => heard(third, 'refreshed')).toBe(3);
    });

    it('polls in the tab that is looked at, while the others only stand by', async () => {
      const [first, second, third] = await openThree(context, server);
      for (const tab of [second, third]) await tab.evaluate('hide()');
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

    it('tells the other tabs who has logged in, and never the new tab who was there before', async () => {
      const old = await openTab(context, server);
      await pass(old, 2);
      server.answer = () => alive(300, '8');
      const fresh = await openTab(context, server);
      await expect.poll(() => old.evaluate('log.at(-1)[1].uid')).toBe('8');
      const now = Number(await fresh.evaluate('Date.now()'));
      await old.evaluate(`tell({ kind: 'failed', sentAt: ${now - 1_000}, pauseMs: 0, failure: {} })`);
      // Messages arrive in the order in which they were sent.
      await old.evaluate(`tell({ kind: 'revoked', sentAt: ${now}, pauseMs: 0 })`);
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
      // The event comes a moment later, and the clocks stand still.
      await expect.poll(() => pass(tabs[0], 0.001).then(() => server.polls.length)).toBe(4);
      await pass(tabs[0], 10);
      expect([server.polls.length, server.mostAtOnce]).toEqual([4, 1]);
    });

    it('asks no second time for what another tab asks for, however late its message comes', async () => {
      await context.addInitScript(SLOW_MESSAGES);
      const tabs = await openThree(context, server);
      const held: (() => void)[] = [];
      server.answer = () => new Promise((answer) => held.push(() => answer(alive())));
      await context.clock.runFor(1_100);
      // All three want to poll now; one gets the lock.
      await Promise.all(tabs.map((tab) => tab.evaluate('hide(); show()')));
      await context.clock.runFor(1);
      await expect.poll(() => held.length).toBe(1);
      server.answer = () => alive();
      held[0]?.();
      await expect.poll(() => Promise.all(tabs.map((tab) => heard(tab, 'refreshed')))).toEqual([4, 3, 2]);
      await pass(tabs[0], 50);
      expect([server.polls.length, server.mostAtOnce]).toEqual([4, 1]);
    });

    it('takes the lock from a tab that was frozen with it', async () => {
      const holder = await openTab(context, server);
      const tab = await openTab(context, server);
      await holder.evaluate('poll.stop(); hog()');
      const untilPolled = async (seconds: number) => {
        for (let second = 0; second < seconds && server.polls.length === 2; second += 1) {
          await context.clock.runFor(1_000);
          await tab.evaluate('navigator.locks.query().then(() => {})');
        }
      };
      await untilPolled(72);
      expect(server.polls.length).toBe(2);
      await untilPolled(40);
      await expect.poll(() => heard(tab, 'refreshed')).toBe(2);
      expect(await holder.evaluate('log.at(-1)')).toEqual(['lock lost']);
    });
  });

  describe('without locks or messages', () => {
    it('shares polls by messages alone where there are no Web Locks', async () => {
      await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
      const tabs = await openThree(context, server);
      await pass(tabs[0], 5 * MINUTE);
      const told = () => Promise.all(tabs.map((tab) => heard(tab, 'refreshed')));
      await expect.poll(told).toEqual([8, 7, 6]);
      expect([server.polls.length, server.mostAtOnce]).toEqual([8, 1]);
    });

    it('polls in each tab for itself where BroadcastChannel is missing', async () => {
      await context.addInitScript('delete window.BroadcastChannel');
      const tabs = [await openTab(context, server), await openTab(context, server)] as const;
      // One that is due while the other polls asks a second after it.
      await pass(tabs[0], MINUTE + 3);
      await expect.poll(() => heard(tabs[0], 'refreshed')).toBe(2);
      await expect.poll(() => heard(tabs[1], 'refreshed')).toBe(2);
      expect(server.polls.length).toBe(4);
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
