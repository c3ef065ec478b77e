import { once } from 'node:events';
import { createServer } from 'node:http';

/** A recipient that is busy now and then, and counts how often it has accepted each delivery. */
export interface CountingRecipient {
  readonly url: string;
  /** How often, by delivery id. */
  readonly accepted: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * @param answerAfterMs how long it takes, so that attempts are under way when a worker is killed
 */
export async function startCountingRecipient(answerAfterMs: number): Promise<CountingRecipient> {
  const accepted = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['x-webhook-id']);
    // One in sixteen first attempts, so that there are retries, and jobs for them, all the time.
    const isBusy = request.headers['x-webhook-attempt'] === '1' && id.endsWith('0');
    if (!isBusy) accepted.set(id, (accepted.get(id) ?? 0) + 1);
    request.resume();
    setTimeout(() => response.writeHead(isBusy ? 503 : 200).end(), answerAfterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recipient has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    accepted,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
