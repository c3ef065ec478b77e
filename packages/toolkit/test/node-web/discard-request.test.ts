import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { toWebRequest } from '../../src/node-web/node-request.ts';
import { hastenTimers } from '../hastened-timers.ts';
import { exchangeRaw } from '../loopback.ts';
import { type FetchHandler, serve } from './fetch-server.ts';

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
    const ranMs = hastenTimers();
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc');
    });
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    expect(ranMs()).toBeLessThan(2_000);
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

  it('leaves the connection usable where it was short', async () => {
    const { port } = await serve(async () => new Response('no'));
    const one = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc';
    const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const answer = await exchangeRaw(port, one + last);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

describe('a request that was answered before its body was read', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  it.each([10, 60_000])('leaves its connection to the next request (a body of %d bytes)', async (bytes) => {
    const arrived = gate();
    const held = gate();
    const server = createServer((incoming, outgoing) => {
      const handler = async ({ url, body }: Request) => {
        if (url.endsWith('/refused')) {
          // A reader that begins, as a bounded body does, and is left alone.
          body?.pipeThrough(new TransformStream());
          return new Response('no', { status: 403 });
        }
        arrived.open();
        await held.passed;
        return new Response('yes');
      };
      void serveNodeRequest(incoming, outgoing, (signal) => handler(toWebRequest(incoming, { signal })));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = async (path: string, body: string) => {
      const { port } = server.address() as AddressInfo;
      const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', agent });
      outgoing.setHeader('content-length', body.length);
      // The answer comes while the client is still sending.
      outgoing.write(body.slice(0, body.length / 2));
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      outgoing.end(body.slice(body.length / 2));
      incoming.resume();
      await once(incoming, 'end');
      return [incoming.statusCode, outgoing.reusedSocket];
    };
    try {
      expect(await post('/refused', 'x'.repeat(bytes))).toEqual([403, false]);
      const next = post('/next', '');
      await arrived.passed;
      // Longer than a client may go on sending.
      await vi.advanceTimersByTimeAsync(1_000);
      held.open();
      expect(await next).toEqual([200, true]);
    } finally {
      agent.destroy();
      server.close();
    }
  });
});

/** A promise that the test resolves. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
