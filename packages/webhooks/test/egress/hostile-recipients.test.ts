import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { MAX_RESPONSE_BYTES } from '../../src/egress/connections.ts';
import { MAX_INTERIM_RESPONSES, MAX_READ_BODY_BYTES } from '../../src/egress/exchange.ts';
import type { SendResult } from '../../src/egress/send-result.ts';
import { httpRecipient, type Recipient, rawRecipient, replyingRecipient, testEgress } from './loopback.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const failure = (code: string): object => ({ kind: 'failure', code });

/**
 * Delivers to a hostile recipient, while and after which the same egress delivers to a healthy one. How long it took is
 * not measured: without the deadline the test itself would time out.
 */
async function deliver(recipient: Recipient, timeoutMs = 5000): Promise<SendResult> {
  const healthy = await httpRecipient((_, response) => response.writeHead(204).end());
  const egress = testEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs });
  const send = (url: string): Promise<SendResult> => egress.send({ url, headers: {}, body: '{}' });
  const sent = send(recipient.url);
  const meanwhile = await send(healthy.url);
  const result = await sent;
  expect([meanwhile, await send(healthy.url)]).toMatchObject([{ statusCode: 204 }, { statusCode: 204 }]);
  return result;
}

async function bodyOf(sent: Promise<SendResult>): Promise<string> {
  const result = await sent;
  if (result.kind !== 'response') throw new Error(`no response but ${result.code}`);
  return result.body;
}

async function expectClosed({ connections }: Recipient): Promise<void> {
  await vi.waitFor(() => expect(connections.map((socket) => socket.destroyed)).toEqual([true]));
}

describe('a recipient that gives no status', () => {
  it('and hangs is a timeout; its socket is closed', async () => {
    const recipient = await rawRecipient((socket) => socket.resume());
    expect(await deliver(recipient, 100)).toEqual(failure('timeout'));
    await expectClosed(recipient);
  });

  it('and drips header lines is a timeout', async () => {
    const recipient = await rawRecipient((socket) => {
      socket.resume();
      socket.write(OK);
      drip(socket, 'X-A: b\r\n');
    });
    expect(await deliver(recipient, 100)).toEqual(failure('timeout'));
    await expectClosed(recipient);
  });

  it('and resets the connection is a reset', async () => {
    const recipient = await rawRecipient((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await deliver(recipient)).toEqual(failure('connection_reset'));
  });

  it('and closes the connection is a reset', async () => {
    const recipient = await rawRecipient((socket) => socket.once('data', () => socket.end()));
    expect(await deliver(recipient)).toEqual(failure('connection_reset'));
  });

  it('and closes the connection without reading is a reset', async () => {
    const recipient = await rawRecipient((socket) => socket.destroy());
    expect(await deliver(recipient)).toEqual(failure('connection_reset'));
  });

  it.each([
    ['speaks another protocol', '220 mail.example.com ESMTP\r\n'],
    ['sends a status line that is none', 'HTTP/1.1 abc\r\n\r\n'],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['sends headers of more than 16 KiB', `${OK}X-Long: ${'a'.repeat(17_000)}\r\n\r\n`],
    ['sends many headers', `${OK}${'X-A: bcdefghij\r\n'.repeat(2000)}\r\n`],
    ['sends 100,000 headers', `${OK}${'X-A: b\r\n'.repeat(100_000)}\r\n`],
    ['sends 100,000 headers of different names', `${OK}${manyHeaders(100_000)}\r\n`],
    ['sends a header without end', `${OK}X-Long: ${'a'.repeat(5_000_000)}`],
    ['sends a length that is none', `${OK}Content-Length: many\r\n\r\nab`],
    ['sends a negative length', `${OK}Content-Length: -1\r\n\r\nab`],
    ['sends two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['sends a length and chunks', `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ])('and %s is an invalid response', async (_what, reply) => {
    const recipient = await replyingRecipient(reply);
    expect(await deliver(recipient)).toEqual(failure('invalid_response'));
    await expectClosed(recipient);
  });

  it('and floods with interim responses is an invalid response', async () => {
    const recipient = await replyingRecipient(
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(MAX_INTERIM_RESPONSES + 1),
    );
    expect(await deliver(recipient)).toEqual(failure('invalid_response'));
    await expectClosed(recipient);
  });

  it('and never ends its interim responses is an invalid response', async () => {
    const recipient = await rawRecipient((socket) => {
      const pump = (): void => {
        while (!socket.destroyed && socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)));
      };
      socket.on('drain', pump);
      socket.once('data', pump);
    });
    expect(await deliver(recipient)).toEqual(failure('invalid_response'));
    await expectClosed(recipient);
  });

  it('and never ends its status line is an invalid response after 1 MiB', async () => {
    let written = 0;
    const recipient = await rawRecipient((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 ');
        written = flood(socket, 'O');
      });
      socket.on('drain', () => {
        written += flood(socket, 'O');
      });
    });
    expect(await deliver(recipient)).toEqual(failure('invalid_response'));
    await expectClosed(recipient);
    expect(written).toBeGreaterThan(MAX_RESPONSE_BYTES);
    // What the two kernels buffer comes on top of what was read.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('and drips interim responses is a timeout', async () => {
    const recipient = await rawRecipient((socket) => {
      socket.resume();
      drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 30);
    });
    expect(await deliver(recipient, 150)).toEqual(failure('timeout'));
  });
});

describe('a recipient whose status is known', () => {
  it('may send interim responses first', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(MAX_INTERIM_RESPONSES);
    const recipient = await replyingRecipient(`${interim}HTTP/1.1 204 No Content\r\n\r\n`);
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 204, body: '' });
  });

  it('may speak HTTP/1.0 and end its body by closing', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nhello')),
    );
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'hello' });
  });

  it('and drips its body for ever is cut at the deadline', async () => {
    const recipient = await rawRecipient((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`);
        drip(socket, '1\r\n.\r\n');
      });
    });
    const body = await bodyOf(deliver(recipient, 500));
    expect(body).toMatch(/^hello\.+$/);
    await expectClosed(recipient);
  });

  it('and sends more than the length it announced is a response of that length', async () => {
    const recipient = await replyingRecipient(`${OK}Content-Length: 2\r\n\r\nhello`);
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'he' });
    await expectClosed(recipient);
  });

  it('and sends less than the length it announced is a response with what was read', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.once('data', () => socket.end(`${OK}Content-Length: 1000\r\n\r\nhello`)),
    );
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'hello' });
  });

  it('and announces more than there is in the world is cut at 64 KiB', async () => {
    const reply = `${OK}Content-Length: ${Number.MAX_SAFE_INTEGER}\r\n\r\n${'a'.repeat(100_000)}`;
    const recipient = await replyingRecipient(reply);
    expect(await bodyOf(deliver(recipient))).toBe('a'.repeat(4096));
    await expectClosed(recipient);
  });

  it('and adds a second response does not answer the next delivery with it', async () => {
    let requests = 0;
    const recipient = await rawRecipient((socket) =>
      socket.on('data', () => {
        requests += 1;
        const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
        const answer = 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n';
        socket.write(requests === 1 ? `${answer}${forged}` : answer);
      }),
    );
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    for (let count = 0; count < 3; count += 1) {
      const result = await egress.send({ url: recipient.url, headers: {}, body: '{}' });
      expect(result).toEqual({ kind: 'response', statusCode: 500, body: '' });
      await turnOfTheLoop();
    }
  });

  it('and never sends the body it announced is cut at the deadline', async () => {
    const recipient = await replyingRecipient(`${OK}Content-Length: 10\r\n\r\n`);
    expect(await deliver(recipient, 500)).toEqual({ kind: 'response', statusCode: 200, body: '' });
    await expectClosed(recipient);
  });

  it('and sends an endless body is read up to 64 KiB; then its socket is closed', async () => {
    let written = 0;
    const recipient = await httpRecipient((_, response) => {
      const chunk = Buffer.alloc(16_384, 'a');
      const pump = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', pump);
      pump();
    });
    expect(await bodyOf(deliver(recipient))).toBe('a'.repeat(4096));
    await expectClosed(recipient);
    // What the two kernels buffer comes on top of what was read.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('and sends 200 kB is a response whose body was cut', async () => {
    const recipient = await httpRecipient((_, response) => response.end(Buffer.alloc(200_000, 'b')));
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'b'.repeat(4096) });
    await expectClosed(recipient);
  });

  it('and sends exactly 64 KiB keeps its connection', async () => {
    const recipient = await httpRecipient((_, response) =>
      response.end(Buffer.alloc(MAX_READ_BODY_BYTES, 'c')),
    );
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    for (let count = 0; count < 2; count += 1) {
      await egress.send({ url: recipient.url, headers: {}, body: '{}' });
      await turnOfTheLoop();
    }
    expect(recipient.connections).toHaveLength(1);
  });

  it.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes early', (socket: Socket) => socket.end()],
    ['sends a malformed chunk', (socket: Socket) => socket.write('zz\r\n')],
  ])('and then %s is a response with what was read', async (_what, breakOff) => {
    const recipient = await rawRecipient((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`);
        setTimeout(breakOff, 20, socket);
      });
    });
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'hello' });
  });

  it('and never ends the extension of a chunk is a response with what was read', async () => {
    let written = 0;
    const recipient = await rawRecipient((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n5;`);
        written = flood(socket, 'x');
      });
      socket.on('drain', () => {
        written += flood(socket, 'x');
      });
    });
    expect(await bodyOf(deliver(recipient))).toBe('hi');
    await expectClosed(recipient);
    expect(written).toBeGreaterThan(MAX_RESPONSE_BYTES);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('and floods with trailers is a response with what was read', async () => {
    const trailers = 'X-T: aaaaaaaaaaaaaaaa\r\n'.repeat(2000);
    const recipient = await replyingRecipient(
      `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n${trailers}\r\n`,
    );
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'hi' });
  });

  it('and answers before it has read the request is a response', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno'),
    );
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const result = await egress.send({ url: recipient.url, headers: {}, body: 'x'.repeat(256 * 1024) });
    expect(result).toEqual({ kind: 'response', statusCode: 413, body: 'no' });
  });

  it('and compresses a bomb has none of it expanded', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const recipient = await httpRecipient((_, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(bomb),
    );
    const body = await bodyOf(deliver(recipient));
    expect(body.startsWith('\u001f\uFFFD\b')).toBe(true);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4096);
  });

  it('and sends bytes that are no text has them replaced', async () => {
    const recipient = await httpRecipient((_, response) =>
      response.end(Buffer.from([0x61, 0, 0xff, 0xc3, 0x28, 0x62])),
    );
    expect(await bodyOf(deliver(recipient))).toBe('a\uFFFD\uFFFD\uFFFD(b');
  });

  it('and repeats Retry-After or makes it long has one of bounded length', async () => {
    const recipient = await replyingRecipient(
      `HTTP/1.1 503 Busy\r\nRetry-After: ${'9'.repeat(500)}\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n`,
    );
    const result = await deliver(recipient);
    expect(result).toEqual({ kind: 'response', statusCode: 503, retryAfter: '9'.repeat(128), body: '' });
  });
});

/** Writes `character` until the socket is full; gives how often. */
function flood(socket: Socket, character: string): number {
  const chunk = character.repeat(16_384);
  let written = 0;
  while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
  return written;
}

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: b\r\n`).join('');
}

/** Writes `text` every few milliseconds for as long as the socket lives. */
function drip(socket: Socket, text: string, everyMs = 5): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}
