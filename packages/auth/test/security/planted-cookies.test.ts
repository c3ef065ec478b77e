import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, sharedChromium } from '../../../../test/services/chromium.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { mountSessions } from '../../src/express/mount-sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

/**
 * Chromium takes names below `localhost` for loopback, and for secure: what TLS would be needed for
 * works there.
 */
const APP = 'app.localhost';
const SIBLING = 'evil.app.localhost';

const DEFAULT_PATHS: [string, Partial<AuthOptions>][] = [
  ['without a prefix', {}],
  ['with __Secure-', { cookiePrefix: '__Secure-' }],
];
const HOST_PREFIX: Partial<AuthOptions> = { cookiePrefix: '__Host-', cookiePath: '/' };

describe.skipIf(chromiumSkipped)(
  'a sibling subdomain that plants a refresh token',
  { timeout: 240_000 },
  () => {
    /**
     * A victim's browser, which has visited the sibling: it planted the attacker's own refresh
     * token.
     */
    async function visited(authOptions: Partial<AuthOptions>, { isLoggedIn }: { isLoggedIn: boolean }) {
      const host = sessionHost({ authOptions });
      const { sessions, auth } = host;
      const attacker = await sessions.loginAs('42');
      const app = express();
      app.use((request, response, next) => {
        if (request.hostname !== SIBLING) return next();
        const name = auth.options.refreshTokenCookie.name;
        const cookies = ['/', auth.options.refreshTokenCookie.path, sessions.basePath].flatMap((path) =>
          [name, name.toLowerCase(), ` ${name}`, `=${name}`].map(
            (spelling) =>
              `${spelling}=${attacker.refreshToken}; Domain=${APP}; Path=${path}; Secure; HttpOnly; SameSite=Lax`,
          ),
        );
        response.setHeader('set-cookie', cookies).end('a page of the sibling');
      });
      app.use(mountSessions(sessions));
      app.get('/', (_request, response) => void response.type('html').end('<title>the application</title>'));
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const context = await (await sharedChromium()).newContext();
      onTestFinished(async () => {
        await context.close();
        await close(server);
      });
      const { port } = server.address() as AddressInfo;
      const page = await context.newPage();
      const visit = (name: string) => page.goto(`http://${name}:${port}/`);
      const ask = (endpoint: string, body?: object) =>
        request(page, `${sessions.basePath}/${endpoint}`, body);
      const logIn = () => ask('login', { login: '7', password: 'secret of 7' });
      const kept = async () =>
        (await context.cookies(`http://${APP}:${port}${sessions.basePath}/status`)).map(({ name }) => name);
      if (isLoggedIn) {
        await visit(APP);
        expect(await logIn()).toMatchObject({ status: 200, uid: '7' });
      }
      await visit(SIBLING);
      await visit(APP);
      return { ...host, attacker, visit, ask, logIn, kept };
    }

    describe('on the default paths, with and without a prefix', () => {
      inOneTest(DEFAULT_PATHS)(
        'makes a logged-out victim go on as the attacker: this is what remains',
        async (_, authOptions) => {
          const { ask } = await visited(authOptions, { isLoggedIn: false });
          expect(await ask('status')).toMatchObject({ status: 200, uid: '42' });
        },
      );

      inOneTest(DEFAULT_PATHS)(
        'is refused where the victim is logged in, at every poll, and the session is not swapped',
        async (_, authOptions) => {
          const { ask, logIn, visit, sessions } = await visited(authOptions, { isLoggedIn: true });
          for (let load = 0; load < 3; load++) {
            expect(await ask('status')).toMatchObject({ status: 401, code: 'token_invalid' });
            await visit(APP);
          }
          expect((await sessions.list('7')).sessions).toHaveLength(1);
          expect(await logIn()).toMatchObject({ status: 200, uid: '7' });
          expect(await ask('status')).toMatchObject({ status: 200, uid: '7' });
          expect((await sessions.list('42')).sessions).toEqual([]);
        },
      );

      inOneTest(DEFAULT_PATHS)('is worth nothing once the victim has logged in', async (_, authOptions) => {
        const { ask, logIn, sessions } = await visited(authOptions, { isLoggedIn: false });
        expect(await logIn()).toMatchObject({ status: 200, uid: '7' });
        expect(await ask('status')).toMatchObject({ status: 200, uid: '7' });
        expect((await sessions.list('42')).sessions).toEqual([]);
      });
    });

    describe('with __Host- and the path /', () => {
      it('reaches no logged-out victim: the browser does not take the cookie', async () => {
        const { ask, kept, sessions } = await visited(HOST_PREFIX, { isLoggedIn: false });
        expect(await kept()).not.toContain('__Host-refresh_token');
        expect(await ask('status')).toMatchObject({ status: 401, code: 'token_missing' });
        expect((await sessions.list('42')).sessions).toHaveLength(1);
      });

      it('changes nothing for a victim who is logged in, nor for the log-out', async () => {
        const { ask, kept, sessions } = await visited(HOST_PREFIX, { isLoggedIn: true });
        expect(await kept()).toEqual(expect.arrayContaining(['__Host-access_token', '__Host-refresh_token']));
        expect(await ask('status')).toMatchObject({ status: 200, uid: '7' });
        expect(await ask('logout')).toMatchObject({ status: 204 });
        expect(await kept()).not.toContain('__Host-refresh_token');
        expect((await sessions.list('7')).sessions).toEqual([]);
      });
    });
  },
);

/**
 * Sends a POST from the page, with the cookies that the browser sends along; gives status and
 * members of the answer.
 */
async function request(page: Page, path: string, body: object = {}): Promise<object> {
  return await page.evaluate(`(async () => {
    const response = await fetch(${JSON.stringify(path)}, { method: 'POST', body: ${JSON.stringify(JSON.stringify(body))} });
    const text = await response.text();
    return { ...(text === '' ? {} : JSON.parse(text)), status: response.status };
  })()`);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
