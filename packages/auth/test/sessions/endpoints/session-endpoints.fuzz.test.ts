import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/error-codes.ts';
import { passwordCredentials } from '../../../src/sessions/log-in/password-credentials.ts';
import { Browser, sessionHost } from '../session-host.ts';

const ENDPOINTS = ['/login', '/status', '/logout', '/sessions', `/sessions/${'a'.repeat(32)}`];
const STATUSES = new Set<number>([
  200,
  204,
  ...Object.values(ERROR_CODES)
    .map(({ status }) => status)
    .filter((status) => status < 500),
]);

const path = fc.oneof(
  fc.constantFrom(...ENDPOINTS),
  fc
    .tuple(fc.constantFrom(...ENDPOINTS), fc.webPath({ size: 'small' }))
    .map(([end, more]) => `${end}${more}`),
  fc.webPath({ size: 'medium' }).map((text) => `/${text}`),
);
const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND');
/** What an HTTP header can carry: bytes above space, less what Headers itself refuses. */
const headerText = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  })
  .filter((text) => !/[\x7f]/.test(text));
const token = fc.oneof(
  fc.constantFrom('a', 'A', 'g', '0').map((digit) => digit.repeat(64)),
  fc.constant('known'),
  fc.constant('access'),
  headerText,
);
const cookie = fc
  .array(
    fc.tuple(fc.constantFrom('refresh_token', 'access_token', '__proto__', ' refresh_token', ''), token),
    { maxLength: 8 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('; '));
const header = fc.record(
  {
    authorization: headerText,
    origin: fc.oneof(headerText, fc.constant('https://app.example')),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'x'),
    'content-type': headerText,
    'content-length': fc.constantFrom('0', '-1', '1e9', 'x', '99999'),
    'user-agent': headerText,
    upgrade: fc.constantFrom('websocket'),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text)),
  fc
    .record(
      { login: fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })), password: fc.jsonValue() },
      { requiredKeys: [] },
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
  fc.constantFrom(Buffer.from('{"login":"\\ud800","password":"\\udfff"}'), Buffer.alloc(9_000, '{')),
);

describe('the handler under random requests', () => {
  it('never throws, never fails, and answers every refusal with a documented code', async () => {
    const verifyCredentials = passwordCredentials({ findUser: async () => undefined });
    const host = sessionHost({ verifyCredentials, loginThrottle: { maxFailuresPerAddress: 20 } });
    const grant = await host.sessions.loginAs('7');
    const known = (text: string) =>
      text.replace('=known', `=${grant.refreshToken}`).replace('=access', `=${grant.accessToken}`);
    const request = fc.record({ path, method, cookie, header, body });
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const headers = new Headers({ ...sent.header, cookie: known(sent.cookie) });
        const hasBody = sent.method !== 'GET' && sent.method !== 'HEAD';
        const init = {
          method: sent.method,
          headers,
          ...(hasBody ? { body: new Uint8Array(sent.body) } : {}),
        };
        const url = new URL(`https://app.example${host.sessions.basePath}${sent.path}`);
        const response = await host.sessions.handler(new Request(url, init), { ip: '192.0.2.1' });
        expect(STATUSES).toContain(response.status);
        expect(response.headers.get('cache-control')).toBe('no-store');
        const text = await response.text();
        if (response.status >= 400) {
          const problem: unknown = JSON.parse(text);
          expect(problem).toMatchObject({
            status: response.status,
            code: expect.stringMatching(/^[a-z_]+$/),
          });
        }
        for (const secret of [grant.refreshToken, grant.accessToken]) expect(text).not.toContain(secret);
        host.clock.advance(1);
      }),
      { numRuns: 1_500 },
    );
    expect(host.logged).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });

  it('keeps an innocent session alive whatever else is sent', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    await browser.logIn('42');
    await fc.assert(
      fc.asyncProperty(fc.record({ path, method, header, body }), async (sent) => {
        const hasBody = sent.method !== 'GET' && sent.method !== 'HEAD';
        const init = {
          method: sent.method,
          headers: sent.header,
          ...(hasBody ? { body: new Uint8Array(sent.body) } : {}),
        };
        const url = new URL(`https://app.example${host.sessions.basePath}${sent.path}`);
        await host.sessions.handler(new Request(url, init));
      }),
      { numRuns: 300 },
    );
    expect((await browser.poll()).status).toBe(200);
  });
});
