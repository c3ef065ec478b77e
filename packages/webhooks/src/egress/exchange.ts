import { progressTimers } from '../progress-timers.ts';
import type { Connection, Connections } from './connections.ts';
import { type Ending, ResponseReader } from './response-reader.ts';
import type { SendResult } from './send-result.ts';

/**
 * How long an exchange waits for the rest of a body once the status is known, before it closes the
 * socket.
 */
export const BODY_GRACE_MS = 1_000;

/** One POST request as it is written to the wire. */
export interface OutgoingRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Limits that end an exchange. */
export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends one request and resolves with its result. Then it releases or destroys the connection.
 *
 * One deadline covers connecting, headers and body. Once the status is known, the result is a
 * response, and the body has at most {@link BODY_GRACE_MS}. A body that is slow, incomplete or
 * endless is only truncated.
 *
 * If the recipient was just closing the connection, the request is sent once more, on a new
 * connection and within the same deadline.
 *
 * @throws TypeError if the request itself cannot be written, for example because of a header with a
 *   line break.
 */
export function exchange(
  connections: Connections,
  request: OutgoingRequest,
  { timeoutMs, signal }: ExchangeLimits,
): Promise<SendResult> {
  return new Promise((resolve, reject) => {
    let reader: ResponseReader | undefined;
    const deadline = performance.now() + timeoutMs;
    const endIn = (ms: number): NodeJS.Timeout => setTimeout(() => reader?.cut('timeout'), ms);
    let timer = endIn(timeoutMs);
    const onStatus = (): void => {
      clearTimeout(timer);
      timer = endIn(Math.min(BODY_GRACE_MS, deadline - performance.now()));
    };
    const cancel = (): void => reader?.cut('aborted');
    signal?.addEventListener('abort', cancel, { once: true });

    const end = (ending: Ending, connection: Connection): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      // After a full iteration of the event loop it is known if the recipient closes a connection
      // it promised to keep.
      if (ending.kind === 'result' && ending.complete) progressTimers.setImmediate(connection.release);
      else connection.destroy();
      if (ending.kind === 'result') resolve(ending.result);
      else reject(ending.error);
    };
    const sendOn = (connection: Connection): ResponseReader =>
      write(request, connection, onStatus, (ending) => {
        // A new connection is never stale, so this happens at most once.
        if (!wasReset(ending) || !connection.wentStale()) return end(ending, connection);
        connection.destroy();
        reader = sendOn(connections.open(request.origin));
      });
    try {
      reader = sendOn(connections.take(request.origin));
    } catch (error) {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      reject(error);
    }
  });
}

/** Writes a request to a connection, and returns the reader of its response. */
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
