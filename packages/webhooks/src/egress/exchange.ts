import type { Dispatcher } from 'undici';
import type { Connection } from './connections.ts';
import { MAX_DECODED_BYTES, responseText } from './response-text.ts';
import { failureCodeOf, type SendFailureCode, SendFailureError, type SendResult } from './send-result.ts';

/** The most body bytes that are read; then the socket is closed. */
export const MAX_READ_BODY_BYTES = 65_536;

/** How long the rest of a body is waited for once the status is known; then the socket is closed. */
export const BODY_GRACE_MS = 1_000;

/** The most interim (1xx) responses before the final one. */
export const MAX_INTERIM_RESPONSES = 16;

const MAX_RETRY_AFTER_LENGTH = 128;

/** One POST request, as it goes on the wire. */
export interface OutgoingRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What ends an exchange from outside. */
export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How an exchange ended; a connection whose response is incomplete cannot take another request. */
type Ending =
  | { readonly kind: 'result'; readonly result: SendResult; readonly complete: boolean }
  | { readonly kind: 'misuse'; readonly error: unknown };

/**
 * Sends one request over one connection and gives what came back; then releases or destroys the connection.
 *
 * One deadline covers connecting, headers and body. Once the status is known, the outcome is a response, and its
 * body has {@link BODY_GRACE_MS} at most: one that drips, breaks off or never ends is only cut.
 *
 * @throws TypeError when the request itself cannot be written (a header with a line break, for one).
 */
export function exchange(
  connection: Connection,
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
    const reader = new ResponseReader(onStatus, (ending) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      if (ending.kind === 'misuse') {
        connection.destroy();
        reject(ending.error);
        return;
      }
      // A whole turn of the event loop shows whether the recipient closes a connection that it said it keeps.
      if (ending.complete) setImmediate(connection.release);
      else connection.destroy();
      resolve(ending.result);
    });
    const cancel = (): void => reader.cut('aborted');
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const { path, headers, body } = request;
      connection.dispatcher.dispatch({ path, method: 'POST', headers, body }, reader);
    } catch (error) {
      reader.refuse(error);
    }
  });
}

/** Collects a response within its limits and ends once; what undici reports after that is ignored. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #onStatus: () => void;
  readonly #onEnd: (ending: Ending) => void;
  #ended = false;
  #interimResponses = 0;
  #statusCode = 0;
  #retryAfter: string | undefined;
  #bytesRead = 0;
  readonly #start: Uint8Array[] = [];

  constructor(onStatus: () => void, onEnd: (ending: Ending) => void) {
    this.#onStatus = onStatus;
    this.#onEnd = onEnd;
  }

  /** Ends with the response as far as it has come, or with `failure` where no status is known yet. */
  cut(failure: SendFailureCode): void {
    this.#end({
      kind: 'result',
      complete: false,
      result: this.#response() ?? { kind: 'failure', code: failure },
    });
  }

  /** Ends without an outcome: the request never was one. */
  refuse(error: unknown): void {
    this.#end({ kind: 'misuse', error });
  }

  /** Its presence is how undici knows a handler of the current interface. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended) controller.abort(new SendFailureError('aborted'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#ended) return;
    if (statusCode < 200) {
      this.#interimResponses += 1;
      // No status is below 100, and none switches protocols unasked: undici's parser goes on, into an assertion.
      const isNone = statusCode < 100 || statusCode === 101;
      if (isNone || this.#interimResponses > MAX_INTERIM_RESPONSES) this.cut('invalid_response');
      return;
    }
    this.#statusCode = statusCode;
    const [retryAfter] = [headers['retry-after']].flat();
    this.#retryAfter = retryAfter?.slice(0, MAX_RETRY_AFTER_LENGTH);
    this.#onStatus();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    const room = MAX_DECODED_BYTES - this.#bytesRead;
    if (room > 0) this.#start.push(chunk.subarray(0, room));
    this.#bytesRead += chunk.length;
    if (this.#bytesRead > MAX_READ_BODY_BYTES) this.cut('invalid_response');
  }

  onResponseEnd(): void {
    const result = this.#response();
    if (result !== undefined) this.#end({ kind: 'result', complete: true, result });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') {
      this.refuse(new TypeError(`The request cannot be sent: ${error.message}`));
    } else {
      this.cut(failureCodeOf(error));
    }
  }

  #response(): SendResult | undefined {
    if (this.#statusCode === 0) return undefined;
    return {
      kind: 'response',
      statusCode: this.#statusCode,
      ...(this.#retryAfter === undefined ? {} : { retryAfter: this.#retryAfter }),
      body: this.#bytesRead === 0 ? '' : responseText(Buffer.concat(this.#start)),
    };
  }

  #end(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(ending);
  }
}
