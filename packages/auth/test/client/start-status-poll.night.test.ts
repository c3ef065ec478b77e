import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { type Answer, alive, type StatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openPage, openTab, pass, useStatusServer } from './tabs.ts';

const MINUTE = 60;
const HOUR = 3_600;

describe.skipIf(chromiumSkipped)('the status poll of one tab', BROWSER_TIMEOUT, () => {
  let server: StatusServer;
  let context: BrowserContext;

  useStatusServer((...given) => {
    [server, context] = given;
  });

  /** The polls that arrive while the clock moves. */
  async function pollsIn(tab: Page, seconds: number, step?: number): Promise<number> {
    const before = server.polls.length;
    await pass(tab, seconds, step);
    return server.polls.length - before;
  }

  describe('on its schedule', () => {
    it('asks before a short token expires, by the difference of two times of the server', async () => {
      server.answer = () => alive(45);
      const tab = await openTab(context, server);
      expect(await pollsIn(tab, 30)).toBe(1);
      server.answer = () => alive(-5);
      await pass(tab, 45);
      // A token that is over already, or a session in its last seconds, is no reason to storm the
      // server.
      expect(await pollsIn(tab, 10)).toBeLessThanOrEqual(10);
    });

    it('keeps the token of a hidden tab alive, and asks at once when it is shown', async () => {
      const tab = await openTab(context, server);
      await tab.evaluate('hide()');
      expect(await pollsIn(tab, 170)).toBe(0);
      expect(await pollsIn(tab, 40)).toBe(1);
      expect(await pollsIn(tab, 20 * MINUTE, 10)).toBeGreaterThanOrEqual(5);
      await pass(tab, 2);
      const before = server.polls.length;
      await tab.evaluate('show()');
      await pass(tab, 0.001);
      expect(server.polls.length).toBe(before + 1);
    });

    it('asks at once when the page comes back from the back-forward cache', async () => {
      const tab = await openTab(context, server);
      await pass(tab, 2);
      await tab.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
      expect(await pollsIn(tab, 0.001)).toBe(1);
    });

    it('asks at once when the browser is online again', async () => {
      const tab = await openTab(context, server);
      await context.setOffline(true);
      expect(await pollsIn(tab, 10 * MINUTE)).toBe(0);
      await context.setOffline(false);
      // The event comes a moment later, and the clock stands still.
      await expect.poll(() => pass(tab, 0.001).then(() => heard(tab, 'refreshed'))).toBe(2);
    });

    it('goes on after the computer slept, and when its clock was set back', async () => {
      const tab = await openTab(context, server);
      await pass(tab, 1);
      const now = Number(await tab.evaluate('Date.now()'));
      await context.clock.setSystemTime(now + 8 * HOUR * 1_000);
      expect(await pollsIn(tab, MINUTE)).toBe(1);
      await context.clock.setSystemTime(now);
      await tab.evaluate('hide(); show()');
      expect(await pollsIn(tab, MINUTE)).toBe(1);
    });
  });

  describe('on an answer of the server', () => {
    it('asks once more after a 401, and goes on where that was overtaken', async () => {
      const tab = await openTab(context, server);
      const answers = [{ status: 401 }, alive()];
      server.answer = () => answers.shift() ?? alive();
      expect(await tab.evaluate('poll.pollNow()')).toBe('refreshed');
      expect([server.polls.length, await heard(tab, 'revoked')]).toEqual([3, 0]);
    });

    it('tells a page that was never logged in the same way', async () => {
      server.answer = () => ({ status: 401 });
      const tab = await openTab(context, server);
      expect(await tab.evaluate('log')).toEqual([['revoked']]);
    });

    it.each([429, 503])(
      'leaves the server alone for as long as a %i says, whatever happens',
      async (status) => {
        server.answer = () => ({ status, headers: { 'retry-after': '120' } });
        const tab = await openTab(context, server);
        await tab.evaluate('hide(); show(); window.dispatchEvent(new Event("online"))');
        expect(await tab.evaluate('poll.pollNow()')).toBe('failed');
        expect(await pollsIn(tab, 119)).toBe(0);
        expect(server.polls.length).toBe(1);
        server.answer = () => alive();
        expect(await pollsIn(tab, 14)).toBe(1);
        expect(await heard(tab, 'refreshed')).toBe(1);
      },
    );

    it('backs off from a failing server, and starts anew when it recovers', async () => {
      server.answer = () => ({ status: 500 });
      const tab = await openTab(context, server);
      const waits: number[] = [];
      for (let second = 0, last = 0; waits.length < 8 && second < HOUR; second += 1) {
        if ((await pollsIn(tab, 1)) === 0) continue;
        waits.push(second - last);
        last = second;
      }
      for (const [index, bound] of [5, 10, 20, 40, 80, 160, 300, 300].entries()) {
        expect(waits[index]).toBeGreaterThanOrEqual(bound * 0.75 - 1);
        expect(waits[index]).toBeLessThanOrEqual(bound + 1);
      }
      expect(await tab.evaluate('log.at(-1)')).toEqual(['failed', { status: 500, failures: 9 }]);
      server.answer = () => alive();
      await pass(tab, 5 * MINUTE);
      server.answer = () => ({ status: 502 });
      await pass(tab, MINUTE);
      expect(await tab.evaluate('log.find(([, failure]) => failure?.status === 502)')).toEqual([
        'failed',
        { status: 502, failures: 1 },
      ]);
    });

    it.each<[string, Answer, number]>([
      ['a closed connection', 'drop', 0],
      ['a page instead of JSON', { status: 200, body: '<html>' }, 0],
      ['JSON of another shape', { status: 200, body: '{"uid":7}' }, 0],
      ['a redirect, even to a session', { status: 303, headers: { location: '/elsewhere' } }, 0],
      ['403', { status: 403 }, 403],
      ['404', { status: 404 }, 404],
    ])('takes %s for a failure and not for the end of the session', async (_, answer, status) => {
      server.answer = () => answer;
      const tab = await openTab(context, server);
      expect(await tab.evaluate('log')).toEqual([['failed', { status, failures: 1 }]]);
      server.answer = () => alive();
      await pass(tab, 6);
      expect(await heard(tab, 'refreshed')).toBe(1);
    });

    it('gives an answer 15 s, and has one request under way at most', async () => {
      const tab = await openTab(context, server);
      await tab.evaluate('poll.stop(); Math.random = () => 0; start()');
      await expect.poll(() => heard(tab, 'refreshed')).toBe(2);
      server.answer = () => new Promise<Answer>(() => {});
      // It is due at the end of this second: the 15 s begin then, however long the lock takes.
      await pass(tab, 53);
      await context.clock.runFor(1_000);
      await expect.poll(() => server.polls.length).toBe(3);
      await tab.evaluate('hide(); show(); window.dispatchEvent(new Event("online"))');
      await context.clock.runFor(13_000);
      expect([server.polls.length, await heard(tab, 'failed')]).toEqual([3, 0]);
      await context.clock.runFor(2_000);
      await expect.poll(() => heard(tab, 'failed')).toBe(1);
      expect(server.mostAtOnce).toBe(1);
    });
  });

  describe('on a call of its page', () => {
    it('asks anew for pollNow when a request was sent before, once for all who call', async () => {
      const tab = await openTab(context, server);
      const held: (() => void)[] = [];
      server.answer = () => new Promise((answer) => held.push(() => answer(alive())));
      await context.clock.runFor(61_000);
      await expect.poll(() => held.length).toBe(1);
      await tab.evaluate('window.results = [poll.pollNow(), poll.pollNow(), poll.pollNow()], 0');
      held[0]?.();
      await expect.poll(() => held.length).toBe(2);
      held[1]?.();
      expect(await tab.evaluate('Promise.all(results)')).toEqual(['refreshed', 'refreshed', 'refreshed']);
      expect([server.polls.length, server.mostAtOnce]).toEqual([3, 1]);
    });

    it('sends and tells nothing once stopped, a request under way included', async () => {
      const tab = await openTab(context, server);
      let answer = (): void => {};
      server.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve(alive());
        });
      const result = tab.evaluate('window.result = poll.pollNow(), 0').then(() => tab.evaluate('result'));
      await expect.poll(() => server.polls.length).toBe(2);
      await tab.evaluate('poll.stop(); poll.stop()');
      answer();
      expect(await result).toBe('stopped');
      expect(await tab.evaluate('poll.pollNow()')).toBe('stopped');
      await tab.evaluate('hide(); show(); window.dispatchEvent(new Event("online"))');
      expect(await pollsIn(tab, 2 * MINUTE)).toBe(0);
      expect(await tab.evaluate('log.length')).toBe(1);
    });

    it('does not wait for the lock any more once stopped', async () => {
      const tab = await openTab(context, server);
      await tab.evaluate('hog()');
      await tab.evaluate('window.result = poll.pollNow(); poll.stop()');
      expect(await tab.evaluate('result')).toBe('stopped');
    });

    it('reports what a callback throws, and goes on', async () => {
      const tab = await openPage(context, server);
      const errors: string[] = [];
      tab.on('pageerror', ({ message }) => errors.push(message));
      await tab.evaluate('start({ onRefreshed() { throw new Error("host") } })');
      await expect.poll(() => server.polls.length).toBe(1);
      expect(await pollsIn(tab, MINUTE)).toBe(1);
      expect(errors).toEqual(['host', 'host']);
    });
  });
});
