import { once } from 'node:events';
import { createServer } from 'node:http';

/** What a recipient answers: 2xx accepts the delivery. */
export interface Answer {
  readonly status: number;
  /** Default: at once. */
  readonly afterMs?: number;
}

/** A recipient that counts its requests, and how often it has accepted each delivery. */
export interface CountingRecipient {
  readonly url: string;
  readonly requests: number;
  /** How often, by delivery id, in the order in which each was first accepted. */
  readonly accepted: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Starts a recipient on loopback. An answer of 429 asks for a pause of one second. */
export async function startCountingRecipient(
  answer: (deliveryId: string, attempt: number, event: string) => Answer,
): Promise<CountingRecipient> {
  const accepted = new Map<string, number>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const id = String(request.headers['x-webhook-id']);
    const { 'x-webhook-attempt': attempt, 'x-webhook-event': event } = request.headers;
    const { status, afterMs = 0 } = answer(id, Number(attempt), String(event));
    if (status < 300) accepted.set(id, (accepted.get(id) ?? 0) + 1);
    request.resume();
    const headers = status === 429 ? { 'retry-after': '1' } : {};
    setTimeout(() => response.writeHead(status, headers).end(), afterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recipient has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    get requests() {
      return requests;
    },
    accepted,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
