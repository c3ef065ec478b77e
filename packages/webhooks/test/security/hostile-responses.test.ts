import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_HEAD_BYTES, MAX_INTERIM_RESPONSES } from '../../src/egress/response-parser.ts';
import { MAX_READ_BODY_BYTES, MAX_RESPONSE_BYTES } from '../../src/egress/response-reader.ts';
import { httpRecipient, rawRecipient, replyingRecipient, testEgress } from '../egress/loopback.ts';
import { bodyOf, deliver, expectClosed, flood, OK, watchedSockets } from './hostile-delivery.ts';

/** More than the two kernels buffer. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x');

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

  it('and sends less than the length it announced is a response with what was read', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.once('data', () => socket.end(`${OK}Content-Length: 1000\r\n\r\nhello`)),
    );
    const detail = 'incomplete_body';
    expect(await deliver(recipient)).toEqual({ kind: 'response', statusCode: 200, body: 'hello', detail });
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
    const cut = { statusCode: 200, body: 'a'.repeat(4096), detail: 'response_too_large' };
    expect(await deliver(recipient)).toMatchObject(cut);
    await expectClosed(recipient);
    // What the two kernels buffer comes on top of what was read.
    expect(written).toBeLessThan(64 * 1024 * 1024);
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
    const start = `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`;
    const recipient = await replyingRecipient(start);
    const { openSocket, bytesRead } = watchedSockets(recipient.port);
    const delivered = deliver(recipient, 5000, { openSocket });
    await expect.poll(bytesRead).toBe(start.length);
    for (const socket of recipient.connections) breakOff(socket);
    expect(await delivered).toMatchObject({ statusCode: 200, body: 'hello' });
  });

  it.each([
    ['the extension of a chunk', '5;', 'x', MAX_HEAD_BYTES],
    ['its trailers', '0\r\n', 'a\n', MAX_RESPONSE_BYTES],
  ])('and never ends %s is a response with what was read', async (_what, start, more, least) => {
    let written = 0;
    const recipient = await rawRecipient((socket) => {
      socket.once('data', () => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n${start}`);
        written = flood(socket, more);
      });
      socket.on('drain', () => {
        written += flood(socket, more);
      });
    });
    expect(await bodyOf(deliver(recipient))).toBe('hi');
    await expectClosed(recipient);
    expect(written).toBeGreaterThan(least);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('and answers before it has read the request is a response', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno'),
    );
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const result = await egress.send({ url: recipient.url, headers: {}, body: 'x'.repeat(256 * 1024) });
    expect(result).toEqual({ kind: 'response', statusCode: 413, body: 'no' });
  });

  it('and never reads the rest of a request gets the next one on another connection', async () => {
    const recipient = await rawRecipient((socket) =>
      socket.once('data', () => {
        socket.pause();
        socket.write(`${OK}Content-Length: 0\r\n\r\n`);
      }),
    );
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    for (let count = 0; count < 3; count += 1) {
      const result = await egress.send({ url: recipient.url, headers: {}, body: LARGE });
      expect(result).toEqual({ kind: 'response', statusCode: 200, body: '' });
      await turnOfTheLoop();
    }
    expect(recipient.connections).toHaveLength(3);
  });

  it('and reads the rest of a request after its answer is sent all of it', async () => {
    let received = 0;
    const recipient = await rawRecipient((socket) => {
      socket.once('data', () => socket.write(`${OK}Content-Length: 0\r\n\r\n`));
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
    });
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const sent = { url: recipient.url, headers: {}, body: LARGE };
    expect(await egress.send(sent)).toMatchObject({ statusCode: 200 });
    await expect.poll(() => received).toBeGreaterThan(LARGE.length);
  });

  it('and repeats Retry-After or makes it long has one of bounded length', async () => {
    const recipient = await replyingRecipient(
      `HTTP/1.1 503 Busy\r\nRetry-After: ${'9'.repeat(500)}\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n`,
    );
    const result = await deliver(recipient);
    expect(result).toEqual({
      kind: 'response',
      statusCode: 503,
      retryAfter: '9'.repeat(128),
      headers: { 'retry-after': '9'.repeat(256) },
      body: '',
    });
  });
});
