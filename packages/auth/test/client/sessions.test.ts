import { readFileSync } from 'node:fs';
import express, { type RequestHandler } from 'express';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { redirectLogIn } from '../../docs/samples/redirect-log-in.ts';
import { mountSessions } from '../../src/express/mount-sessions.ts';
import { memoryOneTimeTokenStore } from '../../src/one-time-tokens/memory-one-time-token-store.ts';
import { createOneTimeTokens } from '../../src/one-time-tokens/one-time-tokens.ts';
import { gate } from '../sessions/session-answers.ts';
import { type SessionHost, sessionHost } from '../sessions/session-host.ts';
import { type PageFiles, pageFiles, serveFile } from './status-server.ts';
import { BROWSER_TIMEOUT, heard, openContext, openPage } from './tabs.ts';

const FINISH = readFileSync(new URL('../../docs/samples/finish-log-in.js', import.meta.url), 'utf8');
const STATUS = "{ url: '/api/admin/auth/status' }";
const CREDENTIALS = JSON.stringify({ login: '7', password: 'secret of 7' });
const LOG_IN = `fetch('/api/admin/auth/login', { method: 'POST', body: ${JSON.stringify(CREDENTIALS)} })`;
const LOG_OUT = "fetch('/api/admin/auth/logout', { method: 'POST' })";

describe.skipIf(chromiumSkipped)(
  'the status poll against the endpoints of createSessions',
  BROWSER_TIMEOUT,
  () => {
    let context: BrowserContext;
    let files: PageFiles;

    beforeAll(async () => {
      files = await pageFiles();
    });
    beforeEach(async () => {
      context = await openContext();
    });
    afterEach(() => context.close());

    /** Tabs of a browser that is logged in as user 7, and the host behind them. */
    async function loggedInTabs(
      count: number,
      ...middleware: RequestHandler[]
    ): Promise<{ host: SessionHost; tabs: Page[] }> {
      const host = sessionHost({ authOptions: { secureCookies: false } });
      const app = express();
      for (const handler of middleware) app.use(handler);
      app.use(mountSessions(host.sessions));
      app.use((request, response) => serveFile(files, request.url, response));
      const server = await listen(app);
      const tabs: Page[] = [];
      while (tabs.length < count) tabs.push(await openPage(context, server));
      expect(await tabs[0]?.evaluate(`${LOG_IN}.then(({ status }) => status)`)).toBe(200);
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

    /** Lets the next answer of the status endpoint, or the next request to it, wait on its way. */
    function delayed() {
      const [arrived, held] = [gate(), gate()];
      let isNext: 'there' | 'back' | undefined;
      const middleware: RequestHandler = (request, response, next) => {
        if (!request.url.endsWith('/auth/status') || isNext === undefined) return next();
        const way = isNext;
        isNext = undefined;
        if (way === 'there') {
          arrived.open();
          return void held.opened.then(() => next());
        }
        const { write, end } = response;
        // The first bytes of the body take the headers along.
        response.write = (...given: unknown[]) => {
          arrived.open();
          void held.opened.then(() => Reflect.apply(write, response, given));
          return true;
        };
        response.end = (...given: unknown[]) => {
          void held.opened.then(() => Reflect.apply(end, response, given));
          return response;
        };
        next();
      };
      const delayNext = (way: 'there' | 'back') => {
        isNext = way;
      };
      return { middleware, delayNext, arrived: arrived.opened, release: held.open };
    }

    const refreshCookie = async () =>
      (await context.cookies()).find(({ name }) => name === 'refresh_token')?.value;

    it('lets a log-in between polls wait for a late answer, whose cookies do not replace its own', async () => {
      const { middleware, delayNext, arrived, release } = delayed();
      const { host, tabs } = await loggedInTabs(2, middleware);
      const [polling, other] = tabs;
      // The late answer rotates: it carries both cookies.
      host.clock.advance(901);
      delayNext('back');
      await polling?.evaluate('window.result = poll.pollNow(), 0');
      await arrived;
      await other?.evaluate(
        `betweenPolls('/api/admin/auth/status', () => ${LOG_IN}).then(({ status }) => { window.loggedIn = status; }), 0`,
      );
      // It waits for its turn, or has been answered.
      const isWaiting = 'navigator.locks.query().then(({ pending }) => pending.length > 0)';
      await expect.poll(() => other?.evaluate(`window.loggedIn !== undefined || ${isWaiting}`)).toBe(true);
      release();
      await expect.poll(() => other?.evaluate('loggedIn')).toBe(200);
      expect(await polling?.evaluate('result')).toBe('refreshed');
      await host.sessions.idle();
      expect(host.revoked.map(({ reason }) => reason)).toEqual(['login']);
      const [live] = (await host.sessions.list('7')).sessions;
      const found = await host.sessions.status([(await refreshCookie()) ?? '']);
      expect(found.sessionId).toBe(live?.id);
      expect(await polling?.evaluate('poll.pollNow()')).toBe('refreshed');
    });

    describe('and a log-in by redirect in another tab', () => {
      const CALLBACK = '/api/admin/auth/callback';
      const store = memoryOneTimeTokenStore();

      /** The session of one tab is over, and the answer that clears its cookies is on its way. */
      async function lateRefusal(...callback: ((host: SessionHost) => RequestHandler)[]) {
        const { middleware, delayNext, arrived, release } = delayed();
        let host: SessionHost | undefined;
        const { host: given, tabs } = await loggedInTabs(2, middleware, (request, response, next) => {
          if (host === undefined) return next();
          const router = callback[0]?.(host) ?? next;
          return router(request, response, next);
        });
        host = given;
        await host.sessions.revokeAll('7');
        const [polling, other] = tabs;
        if (polling === undefined || other === undefined) throw new Error('no tabs');
        delayNext('back');
        await polling.evaluate('window.result = poll.pollNow(), 0');
        await arrived;
        return { host, polling, other, release };
      }

      it('is undone by a late answer where the callback sets the cookies', async () => {
        const { polling, other, release } = await lateRefusal((host) => (request, response, next) => {
          if (request.path !== CALLBACK) return next();
          return void host.sessions.loginAs('7').then(({ cookies }) => {
            response.setHeader('Set-Cookie', cookies);
            response.redirect('/');
          }, next);
        });
        await other.goto(new URL(CALLBACK, other.url()).href);
        expect(await refreshCookie()).toBeDefined();
        release();
        await polling.evaluate('result');
        expect(await refreshCookie()).toBeUndefined();
      });

      it('waits for it where the page of the callback sends its token between polls', async () => {
        const { polling, other, release } = await lateRefusal(({ auth, sessions }) => {
          const tokens = createOneTimeTokens({ auth, store });
          const identify = async () => ({ uid: '7' });
          // The sample names the types of the built package.
          const application: object = { auth, sessions, tokens, identify };
          const router = redirectLogIn(application as Parameters<typeof redirectLogIn>[0]);
          return express()
            .get('/finish-log-in.js', (_request, response) => {
              response.type('js').send(FINISH.replace('@acme/auth/client', '/client.js'));
            })
            .use('/api/admin/auth', router);
        });
        await other.goto(new URL(CALLBACK, other.url()).href);
        const isWaiting = 'navigator.locks.query().then(({ pending }) => pending.length > 0)';
        await expect.poll(() => other.evaluate(isWaiting)).toBe(true);
        release();
        await other.waitForURL((url) => url.pathname === '/');
        expect(await refreshCookie()).toBeDefined();
        await polling.evaluate('result');
        await other.waitForFunction('window.start !== undefined');
        await other.evaluate(`start(${STATUS})`);
        await expect.poll(() => heard(other, 'refreshed')).toBe(1);
      });
    });

    it('goes on in every tab when a log-in overtakes a poll', async () => {
      const { middleware, delayNext, arrived, release } = delayed();
      const { host, tabs } = await loggedInTabs(2, middleware);
      const [polling, other] = tabs;
      delayNext('there');
      await polling?.evaluate('window.result = poll.pollNow(), 0');
      await arrived;
      // As a form does that knows nothing of the poll.
      expect(await other?.evaluate(`${LOG_IN}.then(({ status }) => status)`)).toBe(200);
      const cookie = await refreshCookie();
      release();
      expect(await polling?.evaluate('result')).toBe('refreshed');
      expect(await refreshCookie()).toBe(cookie);
      expect(await other?.evaluate('poll.pollNow()')).toBe('refreshed');
      expect(await Promise.all(tabs.map((tab) => heard(tab, 'revoked')))).toEqual([0, 0]);
      expect((await host.sessions.list('7')).sessions).toHaveLength(1);
    });

    it('goes on after a lost answer and a closed lid, when the old token renews nothing', async () => {
      const { host, tabs } = await loggedInTabs(1);
      const before = await context.cookies();
      host.clock.advance(901);
      expect(await tabs[0]?.evaluate('poll.pollNow()')).toBe('refreshed');
      // The answer got lost.
      await context.addCookies(before);
      host.clock.advance(8 * 3_600);
      expect(await tabs[0]?.evaluate('poll.pollNow()')).toBe('refreshed');
      expect(await heard(tabs[0] ?? expect.fail('no tab'), 'revoked')).toBe(0);
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
