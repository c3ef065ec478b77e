import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { type OutgoingRequest, requestBytes } from './request-bytes.ts';
import { type Ending, ResponseReader } from './response-reader.ts';
import type { SendFailureCode, SendResult } from './send-result.ts';

/**
 * How long an exchange waits for the rest of a body once the status is known, before it closes the
 * socket.
 */
export const BODY_GRACE_MS = 1_000;

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
 * If what came back on a connection that was used before need not be a response to this request,
 * the request is sent once more, on a new connection and within the same deadline.
 */
export function exchange(
  connections: Connections,
  request: OutgoingRequest,
  { timeoutMs, signal }: ExchangeLimits,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const bytes = requestBytes(request);
    let reader: ResponseReader | undefined;
    const deadline = performance.now() + timeoutMs;
    const cut = (code: SendFailureCode): void => reader?.cut({ kind: 'failure', code });
    const endIn = (ms: number): NodeJS.Timeout => setTimeout(cut, ms, 'timeout');
    let timer = endIn(timeoutMs);
    const onStatus = (): void => {
      clearTimeout(timer);
      timer = endIn(Math.min(BODY_GRACE_MS, deadline - performance.now()));
    };
    const cancel = (): void => cut('aborted');
    signal?.addEventListener('abort', cancel, { once: true });

    const sendOn = (connection: Connection): void => {
      const current = new ResponseReader(onStatus, (ending) => {
        // A new connection is not reused, so this happens at most once.
        if (connection.isReused() && mayBeForeign(ending, current)) {
          connection.destroy();
          clearTimeout(timer);
          timer = endIn(deadline - performance.now());
          return sendOn(connections.open(request));
        }
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        connections.release(connection, ending.idleMs);
        resolve(ending.result);
      });
      reader = current;
      connection.send(bytes, current);
    };
    sendOn(connections.take(request));
  });
}

/**
 * Whether what ended the exchange may have nothing to do with its request: the recipient was just
 * closing an idle connection, which some announce with a 408 (RFC 9110 section 15.5.9), or sent
 * the rest of an earlier response. The request is then sent once more, within its attempt, as HTTP
 * clients do with idempotent requests: a delivery is idempotent by its id.
 *
 * With a recipient that closed idle connections at the interval of the requests, up to a tenth of
 * the attempts failed without this. A shorter idle time made the race rarer, and could not end it.
 */
function mayBeForeign({ result }: Ending, { hasBegun }: ResponseReader): boolean {
  if (result.kind === 'response') return result.statusCode === 408;
  return result.code === 'connection_reset' ? !hasBegun : result.detail === 'not_http';
}
