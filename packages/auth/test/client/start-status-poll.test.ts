import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import type { StatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openPage, openTab, pass, useStatusServer } from './tabs.ts';

const MINUTE = 60;

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
    it('asks at the start, with the cookies, and says who it is', async () => {
      await context.addCookies([{ name: 'refresh_token', value: 'opaque', url: server.origin }]);
      const tab = await openTab(context, server);
      expect(server.polls).toMatchObject([
        { cookie: 'refresh_token=opaque', 'sec-fetch-site': 'same-origin' },
      ]);
      expect(await tab.evaluate('log')).toEqual([
        ['refreshed', { uid: '7', scopes: ['admin'], expiresAt: 2_000_000_300, serverTime: 2_000_000_000 }],
      ]);
      expect((await context.cookies()).map(({ name, value }) => `${name}=${value}`)).toContain(
        'access_token=renewed',
      );
    });

    it('asks about every 60 s, never at the same second for everybody', async () => {
      const tab = await openTab(context, server);
      for (let poll = 0; poll < 5; poll += 1) {
        // An interval of 54 to 60 s that began up to a second before the first step.
        expect(await pollsIn(tab, 53)).toBe(0);
        let waited = 53;
        while ((await pollsIn(tab, 1)) === 0) waited += 1;
        expect(waited).toBeLessThanOrEqual(60);
      }
      await tab.evaluate('poll.stop(); Math.random = () => 0; start()');
      await expect.poll(() => heard(tab, 'refreshed')).toBe(7);
      expect(await pollsIn(tab, 54)).toBe(1);
    });
  });

  describe('on an answer of the server', () => {
    it('stops at a 401 that comes twice, and tells once', async () => {
      const tab = await openTab(context, server);
      server.answer = () => ({ status: 401 });
      await pass(tab, MINUTE);
      expect([server.polls.length, await heard(tab, 'revoked')]).toEqual([3, 1]);
      await tab.evaluate('hide(); show(); window.dispatchEvent(new Event("online"))');
      expect(await tab.evaluate('poll.pollNow()')).toBe('revoked');
      expect(await pollsIn(tab, 10 * MINUTE, MINUTE)).toBe(0);
      expect(await heard(tab, 'revoked')).toBe(1);
    });
  });

  describe('on a call of its page', () => {
    inOneTest([
      ['{}', 'url must'],
      ["{ url: 'ftp://127.0.0.1/' }", 'url must'],
      ["{ url: 'http://user@127.0.0.1/' }", 'url must'],
      ["{ url: 'http://[' }", 'url must'],
      ["{ url: '/s', intervalMs: 99 }", 'intervalMs must'],
      ["{ url: '/s', intervalMs: NaN }", 'intervalMs must'],
      ["{ url: '/s', intervalMs: 3_600_001 }", 'intervalMs must'],
      ["{ url: '/s', intervalMs: '60000' }", 'intervalMs must'],
      ["{ url: '/s', onRevoked: 1 }", 'onRevoked must'],
      ["{ url: '/s', onRevoke() {} }", 'no option "onRevoke"'],
    ])('refuses the options %s', async (options, message) => {
      const tab = await openPage(context, server);
      const refused = tab.evaluate(
        `try { startStatusPoll(${options}); 'taken' } catch (error) { error.constructor.name + ': ' + error.message }`,
      );
      expect(await refused).toMatch(/^TypeError: /);
      expect(await refused).toContain(message);
      expect(server.polls).toEqual([]);
    });
  });
});
