import { once } from 'node:events';
import { createServer } from 'node:http';

/** A recipient that counts how often each delivery came in. */
export interface CountingRecipient {
  readonly url: string;
  /** How often, by delivery id. */
  readonly received: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** @param answerAfterMs how long it takes, so that attempts are under way when a worker is killed */
export async function startCountingRecipient(answerAfterMs: number): Promise<CountingRecipient> {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['x-webhook-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    request.resume();
    setTimeout(() => response.writeHead(200).end('ok'), answerAfterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recipient has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
