import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hastenTimers } from '../../../toolkit/test/hastened-timers.ts';
import { exchangeRaw } from '../../../toolkit/test/loopback.ts';
import type { ConnectionInfo, FetchHandler } from '../../src/http/fetch-handler.ts';
import type { Framework, Mount } from './framework.ts';
import { problemOf } from './guard-harness.ts';
import { cookiesOfOurs, expectOursToWin, OF_THE_HOST, OURS } from './headers-before.ts';

const MAX_BODY_BYTES = 65_536;
const json = { 'content-type': 'application/json' };

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

/** What `mountSessions` promises, whatever the framework, wherever the handler is put. */
export function mountContract<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  const base = `${prefix}/auth`;

  async function serve(
    handler: FetchHandler,
    {
      afterBodyParser = false,
      named = true,
      before = {},
    }: { afterBodyParser?: boolean; named?: boolean; before?: Readonly<Record<string, string>> } = {},
  ) {
    const sessions = named ? { handler, basePath: base } : { handler };
    const started = await framework.start({
      prefix,
      routes: [{ path: '/host', guards: [], answer: () => ({ from: 'host' }) }],
      before,
      mount: { sessions, at, afterBodyParser },
    });
    return { ...started, port: started.port ?? 0 };
  }

  const echo: FetchHandler = async (request) =>
    Response.json({ method: request.method, url: request.url, body: await request.text() });
  const echoed = async (response: Response) =>
    (await response.json()) as { method: string; url: string; body: string };

  it('serves what lies below its path, under the URL that the client asked for', async () => {
    const { fetch } = await serve(echo);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${base}/sessions?a=%20b`, { method });
      const { url, ...rest } = await echoed(response);
      expect(rest).toEqual({ method, body: '' });
      expect(new URL(url).pathname + new URL(url).search).toBe(`${base}/sessions?a=%20b`);
    }
    expect(await (await fetch(base)).json()).toMatchObject({ method: 'GET' });
    const head = await fetch(`${base}/sessions`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

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

  it.each([false, true])('hands over a body, after a body parser: %s', async (afterBodyParser) => {
    const { fetch } = await serve(echo, { afterBodyParser });
    const body = JSON.stringify({ login: 'grüße', password: '\u{1F511}' });
    const response = await fetch(`${base}/login`, { method: 'POST', headers: json, body });
    expect((await echoed(response)).body).toBe(body);
    const empty = await fetch(`${base}/login`, { method: 'POST' });
    expect((await echoed(empty)).body).toBe('');
  });

  it('hands over a body of any type, and of none', async () => {
    const { fetch } = await serve(echo);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png']) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: 'a=b&c' };
      expect((await echoed(await fetch(`${base}/login`, init))).body).toBe('a=b&c');
    }
    const untyped = { method: 'DELETE', body: new Uint8Array([97]) };
    expect((await echoed(await fetch(`${base}/login`, untyped))).body).toBe('a');
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

  it.each([false, true])(
    'answers 413 to a body that is too long, after a body parser: %s',
    async (parsed) => {
      let asked = 0;
      let completed = 0;
      const reading: FetchHandler = async (request) => {
        asked += 1;
        await request.text();
        completed += 1;
        return new Response();
      };
      const { fetch, port } = await serve(reading, { afterBodyParser: parsed });
      const text = JSON.stringify({ password: 'x'.repeat(MAX_BODY_BYTES) });
      const padded = JSON.stringify({ password: 'x' }).padEnd(MAX_BODY_BYTES + 1);
      // The last declares no length: it is counted as it arrives.
      for (const body of [text, padded, new Blob([text]).stream()]) {
        const init: RequestInit = { method: 'POST', headers: json, body, duplex: 'half' };
        const response = await fetch(`${base}/login`, init);
        expect(response.status).toBe(413);
        expect((await problemOf(response)).code).toBe('body_too_large');
        // Where the length is declared, as on every socket, and nobody has read the body, the
        // handler is not asked.
        if (body === text && !parsed && port > 0) expect(asked).toBe(0);
      }
      expect(completed).toBe(0);
      const longest = { method: 'POST', headers: json, body: JSON.stringify('x'.repeat(MAX_BODY_BYTES - 2)) };
      if (!parsed) expect((await fetch(`${base}/login`, longest)).status).toBe(200);
    },
  );

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

  it('sends every cookie on a line of its own', async () => {
    const { fetch } = await serve(async () => {
      const headers = new Headers({ 'x-a': 'b' });
      headers.append('set-cookie', 'access_token=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
      headers.append('set-cookie', 'refresh_token=b; Path=/api');
      return new Response(null, { status: 204, headers });
    });
    const response = await fetch(`${base}/logout`, { method: 'POST' });
    expect(response.status).toBe(204);
    expect(cookiesOfOurs(response)).toEqual([
      'access_token=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'refresh_token=b; Path=/api',
    ]);
    expect(response.headers.get('x-a')).toBe('b');
  });

  it('sends headers that were set after the response was made', async () => {
    const { fetch } = await serve(async () => {
      const response = Response.json({ made: 'first' });
      response.headers.append('set-cookie', 'late=1');
      response.headers.append('set-cookie', 'later=2');
      response.headers.set('x-late', '3');
      return response;
    });
    const response = await fetch(`${base}/login`, { method: 'POST' });
    expect(cookiesOfOurs(response)).toEqual(['late=1', 'later=2']);
    expect(response.headers.get('x-late')).toBe('3');
    expect(await response.json()).toEqual({ made: 'first' });
  });

  it('keeps what a middleware before it has set, except what its answer says itself', async () => {
    const answers: FetchHandler[] = [
      async () => Response.json({}, { headers: OURS }),
      async () => new Response(null, { status: 204, headers: OURS }),
    ];
    for (const handler of answers) {
      const { fetch } = await serve(handler, { before: OF_THE_HOST });
      expectOursToWin(await fetch(`${base}/login`, { method: 'POST' }));
    }
    const { fetch } = await serve(async (request) => new Response(await request.text()), {
      before: OF_THE_HOST,
    });
    const body = 'x'.repeat(MAX_BODY_BYTES + 1);
    const refused = await fetch(`${base}/login`, { method: 'POST', body });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([413, 'no-store']);
    expect(refused.headers.getSetCookie()).toContain(OF_THE_HOST['set-cookie']);
  });

  it('leaves the error of a handler to the host', async () => {
    const { fetch } = await serve(async () => {
      throw new Error('broken');
    });
    expect((await fetch(`${base}/login`)).status).toBe(500);
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

/** What `mountSessions` promises about sockets. */
export function mountSocketContract<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  const base = `${prefix}/auth`;

  async function serve(handler: FetchHandler) {
    const mount: Mount = { sessions: { handler, basePath: base }, at, afterBodyParser: false };
    const { port = 0 } = await framework.start({ prefix, mount });
    return port;
  }

  describe('over a socket', () => {
    it('tells the handler the address of the client', async () => {
      const clients: ConnectionInfo[] = [];
      const port = await serve(async (_request, client) => {
        clients.push(client);
        return new Response();
      });
      await exchangeRaw(port, `GET ${base}/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(clients).toEqual([{ ip: '127.0.0.1' }]);
    });

    it.each([
      'GET BASE/x HTTP/1.1\r\nHost: a/b@c',
      'GET BASE/x HTTP/1.1\r\nHost: [::',
      'GET BASE/x HTTP/1.1\r\nHost: a:99999',
      'GET BASE/x HTTP/1.1\r\nHost: ',
      'GET BASE/x HTTP/1.1\r\nHost: <script>',
      'GET BASE/x HTTP/1.0',
      'GET BASE/%zz?%zz=%zz HTTP/1.1\r\nHost: a',
      'GET BASE/%2e%2e%2fx HTTP/1.1\r\nHost: a',
      'GET BASE/..;/x HTTP/1.1\r\nHost: a',
      'GET http://evil.exampleBASE/x HTTP/1.1\r\nHost: a',
      'GET //evil.exampleBASE/x HTTP/1.1\r\nHost: a',
      'OPTIONS * HTTP/1.1\r\nHost: a',
      'TRACE BASE/x HTTP/1.1\r\nHost: a',
      'POST BASE/x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Type: \xff',
      'POST BASE/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Encoding: gzip\r\n\r\n{}',
    ])('answers %j below 500', async (head) => {
      const port = await serve(async (request) => new Response(await request.text()));
      const request = head
        .replace('BASE', base)
        .replace(' HTTP/1.1\r\n', ' HTTP/1.1\r\nConnection: close\r\n');
      const answer = await exchangeRaw(port, request.endsWith('{}') ? request : `${request}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
    });

    it('aborts the signal of a client that leaves', async () => {
      const events = new EventEmitter();
      const port = await serve(async ({ signal }) => {
        signal.addEventListener('abort', () => events.emit('aborted'));
        events.emit('entered');
        await once(signal, 'abort');
        return new Response();
      });
      const entered = once(events, 'entered');
      const aborted = once(events, 'aborted');
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${base}/x HTTP/1.1\r\nHost: a\r\n\r\n`);
      await entered;
      socket.destroy();
      expect(await aborted).toEqual([]);
    });

    it('answers a client that goes on sending, and does not listen for ever', async () => {
      const port = await serve(async (request) => {
        await request.body?.cancel();
        return new Response('early', { status: 400 });
      });
      const ranMs = hastenTimers();
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`POST ${base}/x HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{`);
      // A byte now and then keeps Node's time-out for idle connections from closing it, which takes
      // 5 s.
      const sending = setInterval(() => socket.write('x'), 5);
      onTestFinished(() => clearInterval(sending));
      // A reset that meets a write is an `error`, which `once` would reject with.
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
      const answeredAtMs = ranMs();
      await closed;
      expect(ranMs() - answeredAtMs).toBeLessThan(2_000);
    });
  });
}
