import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { hastenTimers } from '../../../toolkit/test/hastened-timers.ts';
import { openTcpSocket } from '../../src/egress/connector.ts';
import { BODY_GRACE_MS } from '../../src/egress/exchange.ts';
import { deliverFor, drip, expectClosed, FAR_MS, OK, watchedSockets } from '../security/hostile-delivery.ts';
import { listen, rawRecipient, type TestEgress, testEgress } from './loopback.ts';

/** A poll moves fake timers on by its interval. */
const ON_STILL_TIMERS = { interval: 0 };

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

const CUT = { kind: 'response', statusCode: 200, detail: 'incomplete_body' };

/** What is sent with the status, what is dripped after it, and the body that is kept. */
const DRIPS: readonly (readonly [what: string, start: string, dripped: string, kept: RegExp])[] = [
  ['a body in chunks', `${CHUNKED}5\r\nhello\r\n`, '1\r\n.\r\n', /^hello\.+$/],
  ['a body of the length it announced', 'Content-Length: 1000000\r\n\r\nhello', '.', /^hello\.+$/],
  ['a body that ends with the connection', 'Connection: close\r\n\r\nhello', '.', /^hello\.+$/],
  ['the extension of a chunk', `${CHUNKED}5\r\nhello\r\n5;`, 'x', /^hello$/],
  ['trailers', `${CHUNKED}5\r\nhello\r\n0\r\n`, 'X-T: a\r\n', /^hello$/],
  ['nothing of the body it announced', 'Content-Length: 10\r\n\r\n', '', /^$/],
];

function dripAfter(statusLine: string, start: string, dripped: string): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(`${statusLine}${start}`);
      drip(socket, dripped);
    });
  };
}

describe('a recipient that has given its status', () => {
  it.each(DRIPS)(
    'and drips %s is a success long before the deadline',
    async (_what, start, dripped, kept) => {
      const recipient = await rawRecipient(dripAfter(OK, start, dripped));
      const sent = OK.length + start.length;
      const result = await deliverFor(BODY_GRACE_MS, recipient, dripped === '' ? sent - 1 : sent);
      expect(result).toEqual({ ...CUT, body: expect.stringMatching(kept) });
      await expectClosed(recipient);
    },
  );

  it('that is no success, and drips, has failed long before the deadline', async () => {
    const head = 'HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n';
    const start = `${CHUNKED}5\r\nhello\r\n`;
    const recipient = await rawRecipient(dripAfter(head, start, '1\r\n.\r\n'));
    expect(await deliverFor(BODY_GRACE_MS, recipient, head.length + start.length)).toEqual({
      ...CUT,
      statusCode: 503,
      retryAfter: '7',
      headers: { 'retry-after': '7' },
      body: expect.stringMatching(/^hello\.+$/),
    });
    await expectClosed(recipient);
  });

  it('and drips over TLS is cut likewise', async () => {
    const cert = readFileSync(new URL('./fixtures/loopback.cert.pem', import.meta.url));
    const key = readFileSync(new URL('./fixtures/loopback.key.pem', import.meta.url));
    const server = createTlsServer({ key, cert }, dripAfter(OK, `${CHUNKED}5\r\nhello\r\n`, '1\r\n.\r\n'));
    const recipient = await listen(server);
    const egress = testEgress(
      { allowedAddresses: ['127.0.0.1'], timeoutMs: FAR_MS },
      { trust: { ca: cert } },
    );
    const ranMs = hastenTimers();
    const url = `https://127.0.0.1:${recipient.port}/`;
    const result = await egress.send({ url, headers: {}, body: '{}' });
    // On hastened timers the grace may be over before anything was dripped.
    expect(result).toEqual({ ...CUT, body: expect.stringMatching(/^hello\.*$/) });
    expect(ranMs()).toBeLessThan(FAR_MS / 2);
    await expectClosed(recipient);
  });

  it('and ends its body within the grace keeps its connection', async () => {
    const start = `${OK}Content-Length: 5\r\n\r\nhe`;
    const recipient = await rawRecipient((socket) => socket.on('data', () => socket.write(start)));
    const { openSocket, bytesRead } = watchedSockets(recipient.port);
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] }, { openSocket });
    for (let count = 0; count < 3; count += 1) {
      const before = Math.max(bytesRead(), 0);
      const sent = egress.send({ url: recipient.url, headers: {}, body: '{}' });
      await expect.poll(bytesRead).toBe(before + start.length);
      recipient.connections[0]?.write('llo');
      const result = await sent;
      expect(result).toEqual({ kind: 'response', statusCode: 200, body: 'hello' });
      await turnOfTheLoop();
    }
    expect(recipient.connections).toHaveLength(1);
  });
});

describe('the grace of a body', () => {
  /** Sends to a recipient that says nothing before the test does, on timers that stand still. */
  async function sendOnFakeTimers(timeoutMs: number) {
    const sockets: Socket[] = [];
    const openSocket = (address: string, port: number): Socket => {
      const socket = openTcpSocket(address, port);
      sockets.push(socket);
      return socket;
    };
    let requests = 0;
    const recipient = await rawRecipient((socket) => socket.on('data', () => (requests += 1)));
    const egress: TestEgress = testEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs }, { openSocket });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const settled = vi.fn();
    void egress.send({ url: recipient.url, headers: {}, body: '{}' }).then(settled);
    await expect.poll(() => requests, ON_STILL_TIMERS).toBe(1);
    const say = async (text: string): Promise<void> => {
      const before = sockets[0]?.bytesRead ?? 0;
      recipient.connections[0]?.write(text);
      await expect.poll(() => (sockets[0]?.bytesRead ?? 0) - before, ON_STILL_TIMERS).toBe(text.length);
    };
    return { settled, say };
  }

  it('is a second from the status on, whatever arrives meanwhile', async () => {
    expect(BODY_GRACE_MS).toBe(1000);
    const { settled, say } = await sendOnFakeTimers(15_000);
    await vi.advanceTimersByTimeAsync(5000);
    await say(`${OK}Content-Length: 10\r\n\r\n`);
    await vi.advanceTimersByTimeAsync(600);
    await say('hello');
    await vi.advanceTimersByTimeAsync(399);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledExactlyOnceWith({ ...CUT, body: 'hello' });
  });

  it('is what is left of the deadline where that is less', async () => {
    const { settled, say } = await sendOnFakeTimers(1500);
    await vi.advanceTimersByTimeAsync(1200);
    await say(`${OK}Content-Length: 10\r\n\r\n`);
    await vi.advanceTimersByTimeAsync(299);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledOnce();
  });

  it.each([
    ['an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['a status line alone', OK],
    ['a status line and a header', `${OK}Content-Length: 0\r\n`],
  ])('does not begin with %s, which the deadline ends as a timeout', async (_what, text) => {
    const { settled, say } = await sendOnFakeTimers(15_000);
    await say(text);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledExactlyOnceWith({ kind: 'failure', code: 'timeout' });
  });
});
