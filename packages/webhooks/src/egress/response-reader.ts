import type { Dispatcher } from 'undici';
import { type KeptHeaders, keptHeaders } from './kept-headers.ts';
import { MAX_DECODED_BYTES, responseText } from './response-text.ts';
import { failureCodeOf, type SendFailureCode, SendFailureError, type SendResult } from './send-result.ts';

/** The most body bytes that are read before the socket is closed. */
export const MAX_READ_BODY_BYTES = 65_536;

/** The most interim (1xx) responses before the final one. */
export const MAX_INTERIM_RESPONSES = 16;

const MAX_RETRY_AFTER_LENGTH = 128;

/** How a response ended. A connection with an incomplete response cannot take another request. */
export type Ending =
  | { readonly kind: 'result'; readonly result: SendResult; readonly complete: boolean }
  | { readonly kind: 'misuse'; readonly error: unknown };

/**
 * Collects a response within its limits. It ends once, and ignores what undici reports after that.
 */
export class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #onStatus: () => void;
  readonly #onEnd: (ending: Ending) => void;
  #ended = false;
  #interimResponses = 0;
  #statusCode = 0;
  #retryAfter: string | undefined;
  #kept: KeptHeaders = { headers: {}, bytes: 0 };
  #bytesRead = 0;
  readonly #start: Uint8Array[] = [];

  /** @param onStatus called once, when the final status and the headers have arrived. */
  constructor(onStatus: () => void, onEnd: (ending: Ending) => void) {
    this.#onStatus = onStatus;
    this.#onEnd = onEnd;
  }

  /** Ends with the response received so far, or with `failure` if no status is known yet. */
  cut(failure: SendFailureCode): void {
    this.#end({
      kind: 'result',
      complete: false,
      result: this.#response() ?? { kind: 'failure', code: failure },
    });
  }

  /** Ends without a result, because the request could not be written. */
  refuse(error: unknown): void {
    this.#end({ kind: 'misuse', error });
  }

  /** undici recognises a handler of its current interface by this method. */
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
      // undici's parser continues after a status below 100 or an unrequested 101, and then fails an
      // assertion.
      const isInvalid = statusCode < 100 || statusCode === 101;
      if (isInvalid || this.#interimResponses > MAX_INTERIM_RESPONSES) this.cut('invalid_response');
      return;
    }
    this.#statusCode = statusCode;
    const [retryAfter] = [headers['retry-after']].flat();
    this.#retryAfter = retryAfter?.slice(0, MAX_RETRY_AFTER_LENGTH);
    this.#kept = keptHeaders(headers);
    this.#onStatus();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    const remaining = MAX_DECODED_BYTES - this.#bytesRead;
    if (remaining > 0) this.#start.push(chunk.subarray(0, remaining));
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
    const { headers, bytes } = this.#kept;
    return {
      kind: 'response',
      statusCode: this.#statusCode,
      ...(this.#retryAfter === undefined ? {} : { retryAfter: this.#retryAfter }),
      ...(bytes === 0 ? {} : { headers }),
      body: this.#bytesRead === 0 ? '' : responseText(Buffer.concat(this.#start), bytes),
    };
  }

  #end(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(ending);
  }
}
