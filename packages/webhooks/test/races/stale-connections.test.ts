import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import type { EgressOptions } from '../../src/egress/egress.ts';
import { listen, type Recipient, rawRecipient, resolvesTo, testEgress } from '../egress/loopback.ts';
import { FAR_MS, failure, OK } from '../security/hostile-delivery.ts';

const ANSWER = `${OK}Content-Length: 2\r\n\r\nok`;
const answered = { kind: 'response', statusCode: 200, body: 'ok' };

/** What the recipient does with a request that comes second on its first connection. */
type OnSecond = (socket: Socket) => void;

const CLOSINGS: readonly (readonly [how: string, close: OnSecond])[] = [
  ['ends', (socket) => socket.end()],
  ['closes', (socket) => socket.destroy()],
  ['resets', (socket) => socket.resetAndDestroy()],
];

const BODIES: readonly (readonly [size: string, body: string])[] = [
  ['a small', '{}'],
  ['a large', 'x'.repeat(256 * 1024)],
];

/**
 * Answers each request, but the second one of its first connection, and what `isAnswered` says no
 * to.
 */
function forgetful(onSecond: OnSecond, isAnswered: (connection: number) => boolean = () => true) {
  let connections = 0;
  const heads: string[] = [];
  const onConnection = (socket: Socket): void => {
    socket.on('error', () => undefined);
    const connection = connections;
    connections += 1;
    let requests = 0;
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.includes('POST ')) return;
      heads.push(chunk.toString('latin1').split('\r\n\r\n')[0] ?? '');
      requests += 1;
      if (connection === 0 && requests > 1) onSecond(socket);
      else if (isAnswered(connection)) socket.write(ANSWER);
      else if (connection > 0) socket.destroy();
    });
  };
  return { onConnection, heads };
}

async function sendTwice(
  recipient: Recipient,
  options: EgressOptions = {},
  body = '{}',
  signal?: AbortSignal,
) {
  const egress = testEgress({ allowedAddresses: ['127.0.0.1'], ...options });
  const url = `http://hooks.example.com:${recipient.port}/hook`;
  expect(await egress.send({ url, headers: {}, body: '{}' })).toEqual(answered);
  await turnOfTheLoop();
  return { egress, result: await egress.send({ url, headers: { 'X-A': 'b' }, body, signal }) };
}

describe('a request on an idle connection that the recipient is just closing', () => {
  it.each(
    CLOSINGS.flatMap(([how, close]) => BODIES.map(([size, body]) => [how, size, close, body] as const)),
  )('is sent again on a new connection: the recipient %s, with %s body', async (_how, _size, close, body) => {
    const { onConnection, heads } = forgetful(close);
    const recipient = await rawRecipient(onConnection);
    const { result } = await sendTwice(recipient, {}, body);
    expect(result).toEqual(answered);
    expect(recipient.connections).toHaveLength(2);
    expect(heads).toHaveLength(3);
    expect(heads[2]).toBe(heads[1]);
  });

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['resets', (_: Socket, underneath?: Socket) => underneath?.resetAndDestroy()],
  ])('is sent again over TLS: the recipient %s', async (_how, close) => {
    const cert = readFileSync(new URL('../egress/fixtures/loopback.cert.pem', import.meta.url));
    const key = readFileSync(new URL('../egress/fixtures/loopback.key.pem', import.meta.url));
    const { onConnection, heads } = forgetful((socket) => close(socket, recipient.connections[0]));
    const recipient = await listen(createTlsServer({ key, cert }, onConnection));
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] }, { trust: { ca: cert } });
    const url = `https://127.0.0.1:${recipient.port}/`;
    for (let count = 0; count < 2; count += 1) {
      expect(await egress.send({ url, headers: {}, body: '{}' })).toEqual(answered);
      await turnOfTheLoop();
    }
    expect([heads.length, recipient.connections.length]).toEqual([3, 2]);
  });

  it('is sent again on none of the other idle connections', async () => {
    const perConnection: number[] = [];
    const recipient = await rawRecipient((socket) => {
      const connection = perConnection.push(0) - 1;
      socket.on('data', () => {
        perConnection[connection] = (perConnection[connection] ?? 0) + 1;
        if (perConnection[connection] === 1) socket.write(ANSWER);
        else socket.destroy();
      });
    });
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const send = () => egress.send({ url: recipient.url, headers: {}, body: '{}' });
    await Promise.all([send(), send(), send()]);
    await turnOfTheLoop();
    expect(await send()).toEqual(answered);
    expect([...perConnection].sort()).toEqual([1, 1, 1, 2]);
  });

  it('is sent again once', async () => {
    const { onConnection, heads } = forgetful(
      (socket) => socket.destroy(),
      (connection) => connection === 0,
    );
    const recipient = await rawRecipient(onConnection);
    const { result } = await sendTwice(recipient);
    expect(result).toEqual(failure('connection_reset'));
    expect([heads.length, recipient.connections.length]).toEqual([3, 2]);
  });

  it('is judged like any other when it is sent again', async () => {
    let addresses = ['127.0.0.1'];
    const { onConnection } = forgetful((socket) => {
      addresses = ['10.0.0.1'];
      socket.destroy();
    });
    const recipient = await rawRecipient(onConnection);
    const { result, egress } = await sendTwice(recipient, {
      resolve: (...ask) => resolvesTo(...addresses)(...ask),
    });
    expect(result).toEqual(failure('blocked_address'));
    expect(egress.opened).toEqual(['127.0.0.1']);
  });

  describe('and is answered nothing then either', () => {
    it('has the one deadline that it began with', async () => {
      const { onConnection, heads } = forgetful(() => undefined);
      let connections = 0;
      const recipient = await rawRecipient((socket) => {
        connections += 1;
        if (connections === 1) onConnection(socket);
        else socket.on('data', (chunk) => heads.push(chunk.toString('latin1')));
      });
      const egress = testEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs: 15_000 });
      const send = () => egress.send({ url: recipient.url, headers: {}, body: '{}' });
      expect(await send()).toEqual(answered);
      await turnOfTheLoop();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      const settled = vi.fn();
      void send().then(settled);
      // A poll moves fake timers on by its interval.
      await expect.poll(() => heads.length, { interval: 0 }).toBe(2);
      await vi.advanceTimersByTimeAsync(10_000);
      recipient.connections[0]?.destroy();
      await expect.poll(() => heads.length, { interval: 0 }).toBe(3);
      await vi.advanceTimersByTimeAsync(4_999);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(settled).toHaveBeenCalledExactlyOnceWith(failure('timeout'));
    });
  });
});

describe('a request is sent once', () => {
  it.each(CLOSINGS)('on a new connection, which the recipient %s', async (_how, close) => {
    const recipient = await rawRecipient((socket) => socket.once('data', () => close(socket)));
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const result = await egress.send({ url: recipient.url, headers: {}, body: '{}' });
    expect(result).toEqual(failure('connection_reset'));
    expect(recipient.connections).toHaveLength(1);
  });

  it.each([
    ['one byte', 'H', 'connection_reset'],
    ['a status line', OK, 'connection_reset'],
    ['an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'connection_reset'],
  ])('where the recipient sent %s before it closed', async (_what, text, code) => {
    const { onConnection, heads } = forgetful((socket) => socket.end(text));
    const recipient = await rawRecipient(onConnection);
    const { result } = await sendTwice(recipient);
    expect(result).toEqual(failure(code));
    expect([heads.length, recipient.connections.length]).toEqual([2, 1]);
  });

  it('where the recipient is silent', async () => {
    const { onConnection, heads } = forgetful(() => undefined);
    const recipient = await rawRecipient(onConnection);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const sent = sendTwice(recipient, { timeoutMs: FAR_MS });
    // A poll moves fake timers on by its interval.
    await expect.poll(() => heads.length, { interval: 0 }).toBe(2);
    await vi.advanceTimersByTimeAsync(FAR_MS);
    expect((await sent).result).toEqual(failure('timeout'));
    expect([heads.length, recipient.connections.length]).toEqual([2, 1]);
  });

  it('where the caller gave up', async () => {
    const controller = new AbortController();
    const { onConnection, heads } = forgetful(() => controller.abort());
    const recipient = await rawRecipient(onConnection);
    const { result } = await sendTwice(recipient, {}, '{}', controller.signal);
    expect(result).toEqual(failure('aborted'));
    expect([heads.length, recipient.connections.length]).toEqual([2, 1]);
  });
});
