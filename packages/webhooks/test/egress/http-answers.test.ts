import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import type { SendResult } from '../../src/egress/send-result.ts';
import { type AnswerCase, CLOSING, INVALID, KEEPING, LATE, TOLERATED } from './http-answers.ts';
import { rawRecipient, replyingRecipient, type TestEgress, testEgress } from './loopback.ts';

const NEXT = 'HTTP/1.1 500 Mine\r\nContent-Length: 4\r\n\r\nmine';

/** Answers the first request with `first`, and every later one by `rest`. */
async function answeringRecipient(first: string, rest: (socket: Socket, connection: number) => void) {
  let requests = 0;
  let connections = 0;
  const recipient = await rawRecipient((socket) => {
    const connection = connections;
    connections += 1;
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write(first, 'latin1');
      else rest(socket, connection);
    });
  });
  return { recipient, requests: () => requests };
}

const send = (egress: TestEgress, url: string): Promise<SendResult> =>
  egress.send({ url, headers: {}, body: '{}' });

function expected([, , result, detail]: AnswerCase): object {
  const why = detail === undefined ? {} : { detail };
  if ('error' in result) return { kind: 'failure', code: result.error, ...why };
  return { kind: 'response', statusCode: result.status, body: result.body, ...why };
}

describe.each([
  ['is exact', KEEPING],
  ['is exact, and the last', CLOSING],
  ['is tolerated', TOLERATED],
  ['is invalid', INVALID],
] as const)('an answer that %s', (_, cases) => {
  const named = cases.map((answer) => [answer[0], answer] as const);

  inOneTest(named)('%s', async (_name, answer) => {
    const [, bytes, , detail] = answer;
    const { recipient } = await answeringRecipient(bytes, (socket) => socket.write(NEXT));
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    const result = await send(egress, recipient.url);
    expect(result).toMatchObject(expected(answer));
    expect('detail' in result).toBe(detail !== undefined);
    expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 500, body: 'mine' });
    expect(recipient.connections).toHaveLength(cases === KEEPING ? 1 : 2);
  });

  it.each(named)('%s, byte by byte', async (_name, [, text, result]) => {
    const bytes = Buffer.from(text.slice(0, 20_000), 'latin1');
    const recipient = await rawRecipient((socket) => {
      socket.setNoDelay(true);
      socket.once('data', async () => {
        for (const byte of bytes) {
          socket.write(Uint8Array.of(byte));
          await turnOfTheLoop();
        }
      });
    });
    // A busy machine takes longer than the usual 5 s for 20,000 turns of the loop.
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs: 60_000 });
    const { statusCode, code } = {
      statusCode: undefined,
      code: undefined,
      ...(await send(egress, recipient.url)),
    };
    expect({ statusCode, code }).toEqual(
      'error' in result ? { code: result.error } : { statusCode: result.status, code: undefined },
    );
  });
});

describe('what arrives after an answer that was exact', () => {
  const EXACT_ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  inOneTest(LATE)('closes an idle connection: %s', async (_, late) => {
    const { recipient } = await answeringRecipient(EXACT_ANSWER, (socket) => socket.write(NEXT));
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 200 });
    recipient.connections[0]?.write(late);
    await expect.poll(() => recipient.connections[0]?.destroyed).toBe(true);
    expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 500, body: 'mine' });
    expect(recipient.connections).toHaveLength(2);
  });

  inOneTest([...LATE, ['a second answer', EXACT_ANSWER] as const])(
    'is no answer to a request that is written after it: %s',
    async (_, late) => {
      const { recipient, requests } = await answeringRecipient(EXACT_ANSWER, (socket) => socket.write(NEXT));
      const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
      expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 200 });
      recipient.connections[0]?.write(late);
      // In the same turn of the loop, so that the bytes wait in the kernel.
      expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 500, body: 'mine' });
      expect(requests()).toBe(2);
      expect(recipient.connections).toHaveLength(2);
    },
  );

  inOneTest(LATE)('makes the request under way be sent once more: %s', async (_, late) => {
    const { recipient, requests } = await answeringRecipient(EXACT_ANSWER, (socket, connection) =>
      socket.write(connection === 0 ? late : NEXT),
    );
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 200 });
    expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 500, body: 'mine' });
    expect([requests(), recipient.connections.length]).toEqual([3, 2]);
  });

  it('is judged where the connection is new: a 408 is a 408', async () => {
    const recipient = await replyingRecipient('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n');
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    expect(await send(egress, recipient.url)).toMatchObject({ statusCode: 408 });
    expect(recipient.connections).toHaveLength(1);
  });
});
