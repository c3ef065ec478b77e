import express from 'express';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions } from '../../src/express/mount-sessions.ts';
import { type SessionHost, sessionHost } from '../sessions/session-host.ts';
import { type PageFiles, pageFiles, serveFile } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openContext, openPage } from './tabs.ts';

const STATUS = "{ url: '/api/admin/auth/status' }";
const LOG_OUT = "fetch('/api/admin/auth/logout', { method: 'POST' })";

describe.skipIf(chromiumSkipped)(
  'the status poll against the endpoints of createSessions',
  BROWSER_TIMEOUT,
  () => {
    let browser: Browser;
    let context: BrowserContext;
    let files: PageFiles;

    beforeAll(async () => {
      [browser, files] = await Promise.all([launchChromium(), pageFiles()]);
    });
    afterAll(() => browser.close());
    beforeEach(async () => {
      context = await openContext(browser);
    });
    afterEach(() => context.close());

    /** Tabs of a browser that is logged in as user 7, and the host behind them. */
    async function loggedInTabs(count: number): Promise<{ host: SessionHost; tabs: Page[] }> {
      const host = sessionHost({ authOptions: { secureCookies: false } });
      const app = express();
      app.use(mountSessions(host.sessions));
      app.use((request, response) => serveFile(files, request.url, response));
      const server = await listen(app);
      const tabs: Page[] = [];
      while (tabs.length < count) tabs.push(await openPage(context, server));
      const body = JSON.stringify({ login: '7', password: 'secret of 7' });
      const logIn = `fetch('/api/admin/auth/login', { method: 'POST', body: ${JSON.stringify(body)} })`;
      expect(await tabs[0]?.evaluate(`${logIn}.then(({ status }) => status)`)).toBe(200);
      for (const tab of tabs) {
        await tab.evaluate(`start(${STATUS})`);
        await expect.poll(() => heard(tab, 'refreshed')).toBeGreaterThan(0);
      }
      return { host, tabs };
    }

    async function everyTabHears(tabs: readonly Page[], kind: 'revoked'): Promise<void> {
      const once = tabs.map(() => 1);
      await expect.poll(() => Promise.all(tabs.map((tab) => heard(tab, kind)))).toEqual(once);
    }

    it('says who is logged in, with the scopes of now', async () => {
      const { host, tabs } = await loggedInTabs(1);
      host.users.set('7', { scopes: ['admin', 'admin:webhooks'] });
      expect(await tabs[0]?.evaluate('poll.pollNow()')).toBe('refreshed');
      expect(await tabs[0]?.evaluate('log.map(([, { uid, scopes }]) => [uid, scopes])')).toEqual([
        ['7', ['admin']],
        ['7', ['admin', 'admin:webhooks']],
      ]);
    });

    it('ends in every tab when one logs out, and leaves no cookie behind', async () => {
      const { tabs } = await loggedInTabs(3);
      expect(await tabs[1]?.evaluate(`${LOG_OUT}.then(() => poll.pollNow())`)).toBe('revoked');
      await everyTabHears(tabs, 'revoked');
      expect(await context.cookies()).toEqual([]);
    });

    it('ends when somebody else ends the sessions of the user', async () => {
      const { host, tabs } = await loggedInTabs(2);
      await host.sessions.revokeAll('7');
      expect(await tabs[0]?.evaluate('poll.pollNow()')).toBe('revoked');
      await everyTabHears(tabs, 'revoked');
    });

    it('keeps everybody logged in when tabs without Web Locks poll at once and the token rotates', async () => {
      await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
      const { host, tabs } = await loggedInTabs(3);
      for (let round = 0; round < 3; round += 1) {
        host.clock.advance(901);
        const polls = tabs.map((tab) => tab.evaluate('Promise.all([poll.pollNow(), poll.pollNow()])'));
        expect((await Promise.all(polls)).flat()).toEqual(new Array(6).fill('refreshed'));
      }
      await host.sessions.idle();
      expect(host.revoked).toEqual([]);
    });
  },
);
