import type { BrowserContext } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import type { StatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openThree, pass, useStatusServer } from './tabs.ts';

const MINUTE = 60;

describe.skipIf(chromiumSkipped)('the status poll of several tabs', BROWSER_TIMEOUT, () => {
  let server: StatusServer;
  let context: BrowserContext;

  useStatusServer((...given) => {
    [server, context] = given;
  });

  describe('that share their polls', () => {
    it('sends one request in an interval, and every tab is told', async () => {
      const tabs = await openThree(context, server);
      await pass(tabs[0], 10 * MINUTE);
      const polls = server.polls.length - 3;
      expect(polls).toBeGreaterThanOrEqual(10);
      expect(polls).toBeLessThanOrEqual(11);
      expect(server.mostAtOnce).toBe(1);
      await expect
        .poll(() => Promise.all(tabs.map((tab) => heard(tab, 'refreshed'))))
        .toEqual([polls + 3, polls + 2, polls + 1]);
    });
  });
});
