import { describe, expect, it } from 'vitest';
import { exchangeRaw } from '../../../toolkit/test/loopback.ts';
import { words } from '../../../toolkit/test/words.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { forgeToken } from '../tokens/forge-token.ts';
import type { Framework } from './framework.ts';
import { createGuardHarness, EXPIRED, OF_USERS } from './guard-harness.ts';

const { key } = generateApiKey('acme');
const own = `Cookie: access_token=${forgeToken()}\r\n`;

/** What guards promise about bytes that no client library sends. */
export function socketContract<G>(framework: Framework<G>, prefix: string): void {
  async function serve(guards: readonly G[]) {
    const reached: string[] = [];
    const answer = () => ({ reached: reached.push('reached') });
    const routes = ['/x', '/', '/a/b'].map((path) => ({ path, guards: [], answer }));
    const { port = 0 } = await framework.start({ prefix, outer: guards, routes });
    const send = async (target: string, headers = '', method = 'GET') => {
      const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
      return Number(/^HTTP\/1\.1 (\d{3}) /.exec(await exchangeRaw(port, head))?.[1]);
    };
    return { reached, send };
  }

  describe('over a socket', () => {
    it('guards every spelling of a request target', async () => {
      const { reached, send } = await serve([framework.requireAuth(createGuardHarness().auth)]);
      const below = [
        ...words(`
          /x //x /./x /%2e/x /a/../x /a/%2e%2e/x /x;a=b /..;/x
        `),
        '/x\\y',
        '/x%2f',
      ];
      const targets = [
        ...below.map((path) => prefix + path),
        `/${prefix}/x`,
        `/.${prefix}/x`,
        `/%2e${prefix}/x`,
        `http://evil.example${prefix}/x`,
        `http://evil.example/${prefix}/x`,
        `${prefix}/x?/../..`,
        `${prefix}/x#y`,
        `${prefix}/%zz`,
        '*',
      ];
      for (const target of targets) {
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE', 'PROPFIND']) {
          const override = 'X-HTTP-Method-Override: GET\r\nX-Method-Override: GET\r\n';
          const status = await send(target, override, method);
          // Hosts that lack a method say so: 405 or 501.
          expect([400, 401, 404, 405, 501], `${method} ${target}`).toContain(status);
        }
      }
      expect(reached).toEqual([]);
      expect(await send(`${prefix}/x`, own)).toBe(200);
    });

    it('survives any bytes in the headers it reads', async () => {
      const { auth } = createGuardHarness();
      const { reached, send } = await serve([framework.requireAuthOrApiKey(auth, () => null)]);
      const values = [
        '\xff\xfe',
        '%',
        '%ZZ;%',
        '=;=;=',
        '"',
        '\t',
        'access_token',
        'access_token=\xe4',
        ';'.repeat(5000),
      ];
      for (const value of values) {
        expect(await send(`${prefix}/x`, `Cookie: ${value}\r\nAuthorization: ${value}\r\n`)).toBe(401);
      }
      expect(reached).toEqual([]);
    });

    it('reads the cookies of several Cookie headers', async () => {
      const { send } = await serve([framework.requireAuth(createGuardHarness().auth)]);
      const header = (token: string) => `Cookie: access_token=${token}\r\n`;
      expect(await send(`${prefix}/x`, header(OF_USERS) + own)).toBe(200);
      expect(await send(`${prefix}/x`, header(OF_USERS) + header(EXPIRED))).toBe(401);
      const planted = forgeToken({ payload: { uid: '43' } });
      expect(await send(`${prefix}/x`, header(planted) + own)).toBe(401);
    });

    it('counts two Authorization headers as none', async () => {
      const { reached, send } = await serve([framework.requireApiKey(() => ({ uid: '7', scopes: [] }))]);
      const header = `Authorization: Bearer ${key}\r\n`;
      expect(await send(`${prefix}/x`, header + header)).toBe(401);
      expect(await send(`${prefix}/x`, `${header}Authorization: Bearer other\r\n`)).toBe(401);
      expect(reached).toEqual([]);
      expect(await send(`${prefix}/x`, header)).toBe(200);
    });

    it('refuses an unsafe request with two Origin or two Sec-Fetch-Site headers', async () => {
      const { reached, send } = await serve([framework.requireAuth(createGuardHarness().auth)]);
      const site = 'Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n';
      const origin = 'Origin: http://localhost\r\nOrigin: https://attacker.example\r\n';
      for (const headers of [site, `Sec-Fetch-Site: cross-site\r\n${origin}`]) {
        expect(await send(`${prefix}/x`, own + headers, 'POST')).toBe(403);
      }
      expect(reached).toEqual([]);
      expect(await send(`${prefix}/x`, `${own}Origin: http://localhost\r\n`, 'POST')).toBe(200);
    });
  });
}
