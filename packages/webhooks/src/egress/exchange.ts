import type { Connection, Connections } from './connections.ts';
import { type Ending, ResponseReader } from './response-reader.ts';
import type { SendResult } from './send-result.ts';

/** How long the rest of a body is waited for once the status is known; then the socket is closed. */
export const BODY_GRACE_MS = 1_000;

/** One POST request, as it goes on the wire. */
export interface OutgoingRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What ends an exchange from outside. */
export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends one request and gives what came back; then releases or destroys its connection.
 *
 * One deadline covers connecting, headers and body. Once the status is known, the outcome is a response, and its
 * body has {@link BODY_GRACE_MS} at most: one that drips, breaks off or never ends is only cut.
 *
 * A request on a connection that the recipient was just closing is sent once more, on a new connection and within the
 * same deadline.
 *
 * @throws TypeError when the request itself cannot be written (a header with a line break, for one).
 */
export function exchange(
  connections: Connections,
  request: OutgoingRequest,
  { timeoutMs, signal }: ExchangeLimits,
): Promise<SendResult> {
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + timeoutMs;
    const endIn = (ms: number): NodeJS.Timeout => setTimeout(() => reader.cut('timeout'), ms);
    let timer = endIn(timeoutMs);
    const onStatus = (): void => {
      clearTimeout(timer);
      timer = endIn(Math.min(BODY_GRACE_MS, deadline - performance.now()));
    };
    const cancel = (): void => reader.cut('aborted');
    signal?.addEventListener('abort', cancel, { once: true });

    const end = (ending: Ending, connection: Connection): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      // A whole turn of the event loop shows whether the recipient closes a connection that it said it keeps.
      if (ending.kind === 'result' && ending.complete) setImmediate(connection.release);
      else connection.destroy();
      if (ending.kind === 'result') resolve(ending.result);
      else reject(ending.error);
    };
    const sendOn = (connection: Connection): ResponseReader =>
      write(request, connection, onStatus, (ending) => {
        // A new connection is never stale: this happens once at most.
        if (!wasReset(ending) || !connection.wentStale()) return end(ending, connection);
        connection.destroy();
        reader = sendOn(connections.open(request.origin));
      });
    let reader = sendOn(connections.take(request.origin));
  });
}

/** Writes a request to a connection, and gives what reads the response. */
function write(
  { path, headers, body }: OutgoingRequest,
  connection: Connection,
  onStatus: () => void,
  onEnd: (ending: Ending) => void,
): ResponseReader {
  const reader = new ResponseReader(onStatus, onEnd);
  try {
    connection.dispatcher.dispatch({ path, method: 'POST', headers, body }, reader);
  } catch (error) {
    reader.refuse(error);
  }
  return reader;
}

function wasReset(ending: Ending): boolean {
  if (ending.kind === 'misuse' || ending.result.kind === 'response') return false;
  return ending.result.code === 'connection_reset';
}
