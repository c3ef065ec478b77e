import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hastenTimers } from '../../../toolkit/test/hastened-timers.ts';
import { exchangeRaw } from '../../../toolkit/test/loopback.ts';
import type { ConnectionInfo, FetchHandler } from '../../src/http/fetch-handler.ts';
import type { Framework, Mount } from './framework.ts';

const ODD_REQUESTS = [
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
];

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
      expect(clients.map(({ ip }) => ip)).toEqual(['127.0.0.1']);
    });

    it('answers whatever it is sent below 500', async () => {
      const port = await serve(async (request) => new Response(await request.text()));
      for (const head of ODD_REQUESTS) {
        const request = head
          .replace('BASE', base)
          .replace(' HTTP/1.1\r\n', ' HTTP/1.1\r\nConnection: close\r\n');
        const answer = await exchangeRaw(port, request.endsWith('{}') ? request : `${request}\r\n\r\n`);
        expect([head, answer]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 [234]\d\d /)]);
      }
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
