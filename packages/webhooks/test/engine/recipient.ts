import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A callback as the recipient received it. */
export interface ReceivedCallback {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the recipient answers to a callback; `n` counts the callbacks of one delivery, from 1. */
export type Answer = (callback: ReceivedCallback, response: ServerResponse, n: number) => void;

/** A real HTTP server on a free loopback port. */
export interface Recipient {
  readonly url: string;
  readonly received: readonly ReceivedCallback[];
  /** Resolves once that many callbacks have come in all. */
  receivedCount(count: number): Promise<void>;
  close(): Promise<void>;
}

const WAIT_MS = 60_000;

/** Starts a recipient that answers 204, or whatever `answer` writes. */
export async function startRecipient(
  answer: Answer = (_, response) => response.writeHead(204).end(),
): Promise<Recipient> {
  const received: ReceivedCallback[] = [];
  const counts = new Map<unknown, number>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const callback = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(callback);
      const id = callback.headers['x-webhook-id'];
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      answer(callback, response, count);
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    receivedCount: (count) =>
      new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${received.length} callbacks came, ${count} were awaited`));
        }, WAIT_MS);
        function check(): void {
          if (received.length < count) return;
          clearTimeout(deadline);
          waiting.delete(check);
          resolve();
        }
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As {@link startRecipient}, until the test has finished. */
export async function serveRecipient(answer?: Answer): Promise<Recipient> {
  const recipient = await startRecipient(answer);
  onTestFinished(() => recipient.close());
  return recipient;
}
