import { describe, expect, it } from 'vitest';
import { MAX_HEAD_BYTES } from '../../src/egress/response-parser.ts';
import { rawRecipient, replyingRecipient, testEgress } from '../egress/loopback.ts';
import {
  deliver,
  deliverFor,
  drip,
  expectClosed,
  FAR_MS,
  failure,
  flood,
  manyHeaders,
  OK,
} from './hostile-delivery.ts';

describe('a recipient that gives no status', () => {
  it('and hangs is a timeout; its socket is closed', async () => {
    const recipient = await rawRecipient((socket) => socket.resume());
    expect(await deliverFor(FAR_MS, recipient)).toEqual(failure('timeout'));
    await expectClosed(recipient);
  });

  it('and never reads the request is a timeout', async () => {
    const recipient = await rawRecipient((socket) => socket.pause());
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs: 200 });
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    expect(await egress.send({ url: recipient.url, headers: {}, body })).toEqual(failure('timeout'));
  });

  it('and drips header lines is a timeout', async () => {
    const recipient = await rawRecipient((socket) => {
      socket.resume();
      socket.write(OK);
      drip(socket, 'X-A: b\r\n');
    });
    expect(await deliverFor(FAR_MS, recipient, OK.length)).toEqual(failure('timeout'));
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

  it.each([
    ['sends the status 000', 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n'],
    ['sends the status 001', 'HTTP/1.1 001 None\r\nContent-Length: 0\r\n\r\n'],
    ['switches to no protocol, with a length', 'HTTP/1.1 101 Switching\r\nContent-Length: 2\r\n\r\nab'],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['sends headers of more than 16 KiB', `${OK}X-Long: ${'a'.repeat(17_000)}\r\n\r\n`],
    ['sends many headers', `${OK}${'X-A: bcdefghij\r\n'.repeat(2000)}\r\n`],
    ['sends 100,000 headers', `${OK}${'X-A: b\r\n'.repeat(100_000)}\r\n`],
    ['sends 100,000 headers of different names', `${OK}${manyHeaders(100_000)}\r\n`],
    ['sends a header without end', `${OK}X-Long: ${'a'.repeat(5_000_000)}`],
  ])('and %s is an invalid response', async (_what, reply) => {
    const recipient = await replyingRecipient(reply);
    expect(await deliver(recipient)).toMatchObject(failure('invalid_response'));
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
    expect(await deliver(recipient)).toMatchObject(failure('invalid_response'));
    await expectClosed(recipient);
  });

  it('and never ends its status line is an invalid response after 16 KiB', async () => {
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
    expect(await deliver(recipient)).toMatchObject(failure('invalid_response'));
    await expectClosed(recipient);
    expect(written).toBeGreaterThan(MAX_HEAD_BYTES);
    // What the two kernels buffer comes on top of what was read.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('and drips interim responses is a timeout', async () => {
    const recipient = await rawRecipient((socket) => {
      socket.resume();
      // Slower than what a limit of their number would end.
      drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 50);
    });
    expect(await deliverFor(FAR_MS, recipient, 0)).toEqual(failure('timeout'));
  });
});
