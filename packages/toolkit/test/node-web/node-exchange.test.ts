import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { type NodeRequest, type RequestExtras, toWebRequest } from '../../src/node-web/node-request.ts';
import { UnusableRequestError } from '../../src/node-web/unusable-request.ts';
import { exchangeRaw, listen } from '../loopback.ts';

type FetchHandler = (request: Request) => Promise<Response>;

interface Serving {
  readonly onError?: (error: unknown) => void;
}

/** A handler on a bare Node server. A failure of the exchange fails the test that waits for it. */
function serve(handler: FetchHandler, { onError }: Serving = {}) {
  return listen((incoming, outgoing) => {
    serveNodeRequest(incoming, outgoing, (signal) => answer(handler, incoming, { signal })).catch((error) => {
      onError?.(error);
      outgoing.destroy();
    });
  });
}

/** 400 to a request that no `Request` can carry. */
async function answer(
  handler: FetchHandler,
  incoming: NodeRequest,
  extras: RequestExtras,
): Promise<Response> {
  let request: Request;
  try {
    request = toWebRequest(incoming, extras);
  } catch (error) {
    if (error instanceof UnusableRequestError) return new Response(error.message, { status: 400 });
    throw error;
  }
  return await handler(request);
}

const echo: FetchHandler = async (request) =>
  Response.json({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  });

describe('a Node request', () => {
  it('arrives with method, target, headers and body', async () => {
    const { origin, port } = await serve(echo);
    const response = await fetch(`${origin}/a%20b/c?d=%26&d=e`, {
      method: 'PUT',
      headers: { 'x-many': 'a, b', 'content-type': 'text/plain' },
      body: 'grüße',
    });
    expect(await response.json()).toMatchObject({
      method: 'PUT',
      url: `http://127.0.0.1:${port}/a%20b/c?d=%26&d=e`,
      headers: { 'x-many': 'a, b', 'content-type': 'text/plain', host: `127.0.0.1:${port}` },
      body: 'grüße',
    });
  });

  it('joins cookies as cookies, and shows every Authorization', async () => {
    const { port } = await serve(echo);
    const lines = ['Cookie: a=1', 'Cookie: b=2', 'Authorization: Bearer x', 'Authorization: Bearer y'];
    const answer = await exchangeRaw(
      port,
      `GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    expect(answer).toContain('"cookie":"a=1; b=2"');
    expect(answer).toContain('"authorization":"Bearer x, Bearer y"');
  });

  it.each([
    ['//evil.example/x', '//evil.example/x'],
    ['/a/../b/%2e%2e/c', '/c'],
    ['/%zz/%', '/%zz/%'],
    ['http://other.example/path?q', '/path?q'],
    ['/\\evil.example', '//evil.example'],
  ])('for %s stays at its own host', async (target, path) => {
    const { port } = await serve(echo);
    const answer = await exchangeRaw(
      port,
      `GET ${target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toContain(`"url":"http://a.example${path}"`);
  });

  it.each([
    'Host: a b',
    'Host: a/b',
    'Host: user@a.example',
    'Host: a.example:port',
    'Host: a.example:99999',
    'Host: a.example#',
    'Host: a.example?x',
    'Host: [::1',
    'Host: %zz',
    'Host: a\\b',
    `Host: ${'a'.repeat(300)}`,
    'Host:',
    'Host: \xe4.example',
  ])('with %j is 400 and never reaches the handler', async (host) => {
    let reached = false;
    const { port } = await serve(async () => {
      reached = true;
      return new Response();
    });
    const answer = await exchangeRaw(port, `GET / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(reached).toBe(false);
  });

  it.each(['TRACE / HTTP/1.1', 'OPTIONS * HTTP/1.1', 'GET ftp:x HTTP/1.1'])(
    'that is %s is 400',
    async (line) => {
      const { port } = await serve(echo);
      const answer = await exchangeRaw(port, `${line}\r\nHost: a.example\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it('of HTTP/1.0 needs no Host', async () => {
    const { port } = await serve(echo);
    expect(await exchangeRaw(port, 'GET /x HTTP/1.0\r\n\r\n')).toContain('"url":"http://localhost/x"');
  });

  it('streams: the handler reads the first chunk before the second is sent', async () => {
    let sendSecond = () => {};
    const { port } = await serve(async ({ body }) => {
      const reader = body?.getReader();
      const first = await reader?.read();
      sendSecond();
      const second = await reader?.read();
      return new Response(
        Buffer.concat([first?.value ?? [], second?.value ?? []].map((x) => Buffer.from(x))),
      );
    });
    const client = request({ port, host: '127.0.0.1', method: 'POST' });
    sendSecond = () => client.end('two');
    client.write('one,');
    const [response] = await once(client, 'response');
    expect(String((await once(response, 'data'))[0])).toBe('one,two');
  });
});

describe('a Web response', () => {
  it('is written with status, headers and every cookie', async () => {
    const { origin } = await serve(async () => {
      const headers = new Headers({ 'x-a': 'b' });
      headers.append('set-cookie', 'a=1; Path=/');
      headers.append('set-cookie', 'b=2');
      return new Response('body', { status: 418, headers });
    });
    const response = await fetch(origin);
    expect(response.status).toBe(418);
    expect(response.headers.get('x-a')).toBe('b');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(await response.text()).toBe('body');
  });

  it('waits for a slow client instead of filling memory, and stops when it leaves', async () => {
    let chunks = 0;
    let cancelled = () => {};
    const cancellation = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const { port } = await serve(async () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          chunks += 1;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => cancelled(),
      });
      return new Response(body);
    });
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    await once(socket, 'data');
    socket.pause();
    // Still after two hundred turns of the event loop: the sockets are full, and nobody asks for
    // more.
    for (let still = 0, before = chunks; still < 200 && chunks < 10_000; still++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (chunks > before) still = 0;
      before = chunks;
    }
    expect(chunks).toBeLessThan(10_000);
    socket.destroy();
    await cancellation;
  });

  it('is not written over one that the host has begun', async () => {
    const { origin } = await listen((incoming, outgoing) => {
      outgoing.end('host');
      serveNodeRequest(incoming, outgoing, (signal) => echo(toWebRequest(incoming, { signal }))).catch(() =>
        outgoing.destroy(),
      );
    });
    expect(await (await fetch(origin)).text()).toBe('host');
  });
});

describe('a client that leaves', () => {
  it('aborts the request of the handler', async () => {
    let arrived = (_: Request) => {};
    const arrival = new Promise<Request>((resolve) => {
      arrived = resolve;
    });
    const { origin } = await serve(async (request) => {
      arrived(request);
      await once(request.signal, 'abort');
      return new Response('too late');
    });
    const client = new AbortController();
    const answer = fetch(origin, { signal: client.signal }).catch(() => 'left');
    const { signal } = await arrival;
    expect(signal.aborted).toBe(false);
    client.abort();
    expect(await answer).toBe('left');
    if (!signal.aborted) await once(signal, 'abort');
  });

  it('in the middle of a body makes reading it fail', async () => {
    let outcome = (_: string) => {};
    const reading = new Promise<string>((resolve) => {
      outcome = resolve;
    });
    const { port } = await serve(async (request) => {
      await request.text().then(
        () => outcome('read'),
        () => outcome('failed'),
      );
      return new Response();
    });
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
    });
    expect(await reading).toBe('failed');
  });

  it('does not abort a request that was answered', async () => {
    let signal: AbortSignal | undefined;
    const { origin } = await serve(async (request) => {
      signal = request.signal;
      return new Response('done');
    });
    const response = await fetch(origin, { headers: { connection: 'close' } });
    await response.text();
    expect(signal?.aborted).toBe(false);
  });
});

describe('a body that the handler does not read', () => {
  it('does not cost a client that still sends it the answer', async () => {
    const { origin } = await serve(async () => new Response('no', { status: 413 }));
    const response = await fetch(origin, { method: 'POST', body: new Uint8Array(5_000_000) });
    expect(response.status).toBe(413);
    expect(await response.text()).toBe('no');
  });

  it.each<[string, FetchHandler]>([
    ['at all', async () => new Response('no')],
    [
      'to its end',
      async ({ body }) => {
        const reader = body?.getReader();
        await reader?.read();
        await reader?.cancel();
        return new Response('enough');
      },
    ],
  ])('%s is cut off when it does not end', async (_, handler) => {
    const { port, server } = await serve(handler);
    // Only what is tested closes the connection.
    server.keepAliveTimeout = 0;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc');
    });
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
  });

  it.each([
    ['of a length', { 'content-length': '300000' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('to its end, %s, still gets its answer', async (_, headers) => {
    const { port } = await serve(async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response('enough', { status: 413 });
    });
    const client = request({ port, host: '127.0.0.1', method: 'POST', headers });
    client.write(Buffer.alloc(100_000));
    const [response] = await once(client, 'response');
    expect(response.statusCode).toBe(413);
    expect(String(Buffer.concat(await response.toArray()))).toBe('enough');
    client.end(Buffer.alloc(200_000));
    await once(client, 'close');
  });

  it('and that a middleware has read in part is not written again to the length that its header claims', async () => {
    const handler: FetchHandler = async (request) => new Response(String((await request.text()).length));
    const { port } = await listen((incoming, outgoing) => {
      incoming.once('data', () => {
        incoming.pause();
        const request = Object.assign(incoming, { body: {} });
        void serveNodeRequest(request, outgoing, (signal) => handler(toWebRequest(request, { signal })));
      });
    });
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 400000000\r\n\r\nabc');
    });
    socket.on('error', () => {});
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/\r\n\r\n(?:6\r\n)?131074/);
  });

  it('leaves the connection usable where it was short', async () => {
    const { port } = await serve(async () => new Response('no'));
    const one = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc';
    const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const answer = await exchangeRaw(port, one + last);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

describe('a handler that throws', () => {
  it('rejects the exchange before anything is written', async () => {
    const failures: unknown[] = [];
    const error = new Error('broken');
    const { origin } = await serve(
      async () => {
        throw error;
      },
      { onError: (failure) => failures.push(failure) },
    );
    await expect(fetch(origin)).rejects.toThrow();
    expect(failures).toEqual([error]);
  });
});
