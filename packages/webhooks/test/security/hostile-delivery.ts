import type { Socket } from 'node:net';
import { expect, vi } from 'vitest';
import { openTcpSocket } from '../../src/egress/connector.ts';
import type { SendResult } from '../../src/egress/send-result.ts';
import { httpRecipient, type Recipient, type TestDependencies, testEgress } from '../egress/loopback.ts';

export const OK = 'HTTP/1.1 200 OK\r\n';
export const failure = (code: string): object => ({ kind: 'failure', code });

/** A deadline beyond the time that a test has: what does not end before it fails. */
export const FAR_MS = 60_000;

/** A poll moves fake timers on by its interval. */
const ON_STILL_TIMERS = { interval: 0 };

/**
 * Delivers to a hostile recipient, while and after which the same egress delivers to a healthy one.
 * How long it took is not measured: without the deadline the test itself would time out.
 */
export async function deliver(
  recipient: Recipient,
  timeoutMs = 5000,
  dependencies: TestDependencies = {},
): Promise<SendResult> {
  const healthy = await httpRecipient((_, response) => response.writeHead(204).end());
  const egress = testEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs }, dependencies);
  const send = (url: string): Promise<SendResult> => egress.send({ url, headers: {}, body: '{}' });
  const sent = send(recipient.url);
  const meanwhile = await send(healthy.url);
  const result = await sent;
  expect([meanwhile, await send(healthy.url)]).toMatchObject([{ statusCode: 204 }, { statusCode: 204 }]);
  return result;
}

/**
 * Delivers likewise on timers that stand still until the recipient has its request and has sent
 * more than so many bytes, and then pass `ms` at once. Sockets take their real time; the deadline
 * is {@link FAR_MS}.
 */
export async function deliverFor(ms: number, recipient: Recipient, bytes = -1): Promise<SendResult> {
  const { openSocket, bytesRead } = watchedSockets(recipient.port);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const delivered = deliver(recipient, FAR_MS, { openSocket });
    const hasRequest = () => (recipient.connections[0]?.bytesRead ?? 0) > 0;
    await expect.poll(() => hasRequest() && bytesRead() > bytes, ON_STILL_TIMERS).toBe(true);
    await vi.advanceTimersByTimeAsync(ms);
    return await delivered;
  } finally {
    vi.useRealTimers();
  }
}

/**
 * Opens sockets for an egress, and knows how many bytes the last one to that recipient has read.
 */
export function watchedSockets(port: number) {
  let last: Socket | undefined;
  const openSocket = (address: string, to: number): Socket => {
    const socket = openTcpSocket(address, to);
    if (to === port) last = socket;
    return socket;
  };
  return { openSocket, bytesRead: () => last?.bytesRead ?? -1 };
}

export async function bodyOf(sent: Promise<SendResult>): Promise<string> {
  const result = await sent;
  if (result.kind !== 'response') throw new Error(`no response but ${result.code}`);
  return result.body;
}

export async function expectClosed({ connections }: Recipient): Promise<void> {
  await vi.waitFor(() => expect(connections.map((socket) => socket.destroyed)).toEqual([true]), 60_000);
}

/** Writes `character` until the socket is full; gives how often. */
export function flood(socket: Socket, character: string): number {
  const chunk = character.repeat(16_384);
  let written = 0;
  while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
  return written;
}

export function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: b\r\n`).join('');
}

/** Writes `text` every few milliseconds for as long as the socket lives. */
export function drip(socket: Socket, text: string, everyMs = 5): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}
