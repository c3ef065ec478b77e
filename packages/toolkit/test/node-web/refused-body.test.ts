import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { toWebRequest } from '../../src/node-web/node-request.ts';

describe('a request that was answered before its body was read', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
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
