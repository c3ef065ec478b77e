import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createScript, type TestAnswer, type TestAnswerRule } from './answer-script.ts';
import { type ReceivedRequest, readCallback } from './received-request.ts';

const MAX_REQUESTS = 10_000;

/**
 * A recipient of webhooks for tests: a real HTTP server on 127.0.0.1 whose answers are programmed.
 */
export interface TestReceiver {
  /** `http://127.0.0.1:<port>/hook`; every other path is served as well. */
  readonly url: string;
  /** The last 10,000 requests received, the oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** How many requests were received and are not in `requests` any more. */
  readonly dropped: number;
  /**
   * Sets the answer from now on. Followed by `.times(n)`, it applies to the next `n` requests only,
   * after those programmed before. Without a `path` it applies to all. Default: 204.
   *
   * @throws TypeError for an invalid answer
   */
  respond(answer: TestAnswer, options?: { readonly path?: string }): TestAnswerRule;
  /**
   * Resolves with the received requests once there are that many in all, dropped ones included.
   * Rejects after `timeoutMs`, default 10,000, and once the receiver is closed, saying how many
   * there are.
   */
  received(count: number, options?: { readonly timeoutMs?: number }): Promise<readonly ReceivedRequest[]>;
  /** Forgets all requests and programmed answers. */
  reset(): void;
  /** Ends the server and every connection, answered or not. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a receiver on a free port. Allow the engine to reach it, and nothing else:
 * `egress: { allowedAddresses: ['127.0.0.1/32'] }`.
 *
 * @example
 * const receiver = await createTestReceiver();
 * receiver.respond(503).times(2);
 * await webhooks.create({ url: receiver.url });
 * await webhooks.dispatch('user.created', { id: 42 });
 * const [request] = await receiver.received(1);
 * console.log(request?.event, request?.data);
 */
export async function createTestReceiver(): Promise<TestReceiver> {
  const script = createScript();
  const requests: ReceivedRequest[] = [];
  /** Checks of the callers that wait for requests. */
  const waiting = new Set<() => void>();
  let dropped = 0;
  let isClosed = false;
  let closed: Promise<void> | undefined;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readCallback(incoming);
    requests.push(request);
    if (requests.length > MAX_REQUESTS) {
      requests.shift();
      dropped += 1;
    }
    for (const check of waiting) check();
    script.answer(request.path, response);
  }

  const server = createServer((incoming, response) => {
    // A sender that disconnects, or sends too much, is not answered.
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    get dropped() {
      return dropped;
    },
    respond: script.respond,
    received(count, { timeoutMs = 10_000 } = {}) {
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => fail(`${timeoutMs} ms`), timeoutMs);
        function end(): void {
          clearTimeout(deadline);
          waiting.delete(check);
        }
        function fail(when: string): void {
          end();
          reject(new Error(`${requests.length + dropped} requests came in ${when}, not ${count}`));
        }
        function check(): void {
          if (requests.length + dropped >= count) {
            end();
            resolve([...requests]);
          } else if (isClosed) fail('before the receiver was closed');
        }
        waiting.add(check);
        check();
      });
    },
    reset() {
      requests.length = 0;
      dropped = 0;
      script.reset();
    },
    close() {
      isClosed = true;
      for (const check of waiting) check();
      closed ??= new Promise((resolve) => {
        script.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
  };
}
