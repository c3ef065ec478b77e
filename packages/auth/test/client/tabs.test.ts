import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import type { StatusServer } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openTab, pass, useStatusServer } from './tabs.ts';

const MINUTE = 60;

describe.skipIf(chromiumSkipped)('the status poll of several tabs', BROWSER_TIMEOUT, () => {
  let server: StatusServer;
  let context: BrowserContext;

  useStatusServer((...given) => {
    [server, context] = given;
  });

  /** Three tabs that all know of the last one's first answer; it leads. */
  async function openThree(): Promise<[Page, Page, Page]> {
    const tabs: [Page, Page, Page] = [
      await openTab(context, server),
      await openTab(context, server),
      await openTab(context, server),
    ];
    expect(server.polls.length).toBe(3);
    await expect.poll(() => heard(tabs[0], 'refreshed')).toBe(3);
    await expect.poll(() => heard(tabs[1], 'refreshed')).toBe(2);
    return tabs;
  }

  describe('led by one of them', () => {
    it('sends one request in an interval, and every tab is told', async () => {
      const tabs = await openThree();
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
