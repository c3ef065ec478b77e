import { expect, it } from 'vitest';
import { exchangeRaw } from '../../../toolkit/test/loopback.ts';
import type { FetchHandler } from '../../src/http/fetch-handler.ts';
import type { Framework, Mount } from './framework.ts';
import { echo, echoed, type ServeHandlerOptions, serveHandler } from './serve-handler.ts';

const MAX_BODY_BYTES = 65_536;

const MALFORMED_TYPES = [
  'application',
  'application/',
  '/json',
  'application json',
  'json;charset=utf-8',
  '*',
  '"',
  ';',
  '=',
  'application/json/json',
  'application/json, text/plain',
  'a@b/c',
  '\u{e9}/\u{e9}',
  'x'.repeat(300),
];

/** What else `mountSessions` promises, whatever the framework, wherever the handler is put. */
export function mountContract<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  const base = `${prefix}/auth`;
  const serve = (handler: FetchHandler, options?: ServeHandlerOptions) =>
    serveHandler(framework, { prefix, at }, handler, options);

  it('leaves every other path to the host', async () => {
    const { fetch } = await serve(async () => new Response('from the handler'));
    expect(await (await fetch(`${prefix}/host`)).json()).toEqual({ from: 'host' });
    for (const path of [
      `${base}2`,
      `${base}2/login`,
      `${prefix}/AUTH/login`,
      `/x${base}/login`,
      `/${base}/login`,
    ]) {
      const response = await fetch(path);
      expect(await response.text(), path).not.toBe('from the handler');
    }
  });

  it('hands over a body whose type is malformed, and the type as it was sent', async () => {
    const { fetch } = await serve(async (request) =>
      Response.json({ type: request.headers.get('content-type'), body: await request.text() }),
    );
    const cases = MALFORMED_TYPES.flatMap((type) => ['{"a":1}', ''].map((body) => ({ type, body })));
    for (const { type, body } of cases) {
      const init = { method: 'POST', headers: { 'content-type': type }, body };
      const response = await fetch(`${base}/login`, init);
      expect([response.status, await response.json()]).toEqual([200, { type, body }]);
    }
  });

  it('bounds a body even where the handler swallows the error', async () => {
    let bytes = 0;
    const { fetch } = await serve(async (request) => {
      try {
        if (request.body) for await (const chunk of request.body) bytes += chunk.byteLength;
      } catch {}
      return new Response();
    });
    const body = new Blob(['x'.repeat(3 * MAX_BODY_BYTES)]).stream();
    await fetch(`${base}/login`, { method: 'POST', body, duplex: 'half' });
    expect(bytes).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });

  it('refuses what is no handler', async () => {
    await expect(serve({} as FetchHandler)).rejects.toThrow(TypeError);
    for (const basePath of ['auth', '/auth/', '/', '']) {
      const sessions = { handler: echo, basePath };
      const mount: Mount = { sessions, at: 'root', afterBodyParser: false };
      await expect(framework.start({ prefix, mount })).rejects.toThrow(/basePath/);
    }
  });

  if (at === 'its own path') {
    it('serves a handler that names no path where the host puts it', async () => {
      const { fetch } = await serve(echo, { named: false });
      const { url } = await echoed(await fetch(`${base}/login`));
      expect(new URL(url).pathname).toBe(`${base}/login`);
      expect(await (await fetch(`${prefix}/host`)).json()).toEqual({ from: 'host' });
    });
  }
}

/** Spellings that URL parsing makes the login of, and routing another path. */
const OTHER_SPELLINGS = [
  '/x/..BASE/login',
  '/.BASE/login',
  '/x/%2e%2eBASE/login',
  'BASE/x/%2E./login',
  '/x\\..BASE/login',
  'BASE\\login',
  'http://a/x/..BASE/login',
  'http:///aBASE/login',
  'BASE/login#',
];

/** What `mountSessions` promises where a framework routes by the target as it was sent. */
export function mountRoutingContract<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  const base = `${prefix}/auth`;

  it('leaves to the host what its routing, and the guards there, have read as another path', async () => {
    let asked = 0;
    const handler: FetchHandler = async () => {
      asked += 1;
      return new Response('from the handler');
    };
    const mount: Mount = { sessions: { handler, basePath: base }, at, afterBodyParser: false };
    const { port = 0 } = await framework.start({ prefix, mount });
    for (const target of OTHER_SPELLINGS.map((spelling) => spelling.replace('BASE', base))) {
      const head = `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close`;
      expect([target, await exchangeRaw(port, `${head}\r\n\r\n`)]).toEqual([
        target,
        expect.stringMatching(/^HTTP\/1\.1 40[04] |^$/),
      ]);
    }
    expect(asked).toBe(0);
  });
}
