import { type KeptHeaders, keptHeaders } from './kept-headers.ts';
import { type ReceivedHeaders, ResponseParser, type ResponseSink } from './response-parser.ts';
import { MAX_DECODED_BYTES, responseText } from './response-text.ts';
import {
  type AnswerDetail,
  failureOf,
  type SendFailure,
  type SendResponse,
  type SendResult,
} from './send-result.ts';

/** The most body bytes that are read before the socket is closed. */
export const MAX_READ_BODY_BYTES = 65_536;

/**
 * The most bytes that a recipient may send in response to one request. The limits on heads and body
 * end most floods far earlier; this one ends trailers and chunk extensions, which are neither.
 */
export const MAX_RESPONSE_BYTES = 1_048_576;

const MAX_RETRY_AFTER_LENGTH = 128;

/** How a response ended. */
export interface Ending {
  readonly result: SendResult;
  /** How long the connection may wait for another request; 0 if it must be closed. */
  readonly idleMs: number;
}

/** Collects a response within its limits. It ends once, and ignores what comes after that. */
export class ResponseReader implements ResponseSink {
  readonly #onStatus: () => void;
  readonly #onEnd: (ending: Ending) => void;
  readonly #parser = new ResponseParser(this);
  #ended = false;
  #bytesReceived = 0;
  #statusCode = 0;
  #retryAfter: Pick<SendResponse, 'retryAfter' | 'date'> = {};
  #kept: KeptHeaders = { headers: {}, bytes: 0 };
  #bytesRead = 0;
  readonly #start: Uint8Array[] = [];

  /** @param onStatus called once, when the final status and the headers have arrived. */
  constructor(onStatus: () => void, onEnd: (ending: Ending) => void) {
    this.#onStatus = onStatus;
    this.#onEnd = onEnd;
  }

  /** Whether a byte of the response has arrived. */
  get hasBegun(): boolean {
    return this.#bytesReceived > 0;
  }

  /** Takes what the connection has received. */
  push(chunk: Buffer): void {
    if (this.#ended) return;
    this.#bytesReceived += chunk.length;
    this.#parser.push(chunk);
    if (this.#bytesReceived > MAX_RESPONSE_BYTES) this.onInvalid('response_too_large');
  }

  /** Ends with the response received so far, or with `failure` if no status is known yet. */
  cut(failure: SendFailure): void {
    this.#end({ idleMs: 0, result: this.#response(failure) ?? failure });
  }

  /** Ends as the connection did: by an error, or because the recipient closed it. */
  fail(error: unknown): void {
    this.cut(failureOf(error));
  }

  /** The recipient has closed the connection, which ends a body without a length. */
  close(): void {
    if (!this.#parser.close()) this.cut({ kind: 'failure', code: 'connection_reset' });
  }

  onHead(statusCode: number, headers: ReceivedHeaders): void {
    if (this.#ended) return;
    this.#statusCode = statusCode;
    this.#retryAfter = retryAfterOf(headers);
    this.#kept = keptHeaders(headers);
    this.#onStatus();
  }

  onBody(chunk: Buffer): void {
    if (this.#ended) return;
    const remaining = MAX_DECODED_BYTES - this.#bytesRead;
    if (remaining > 0) this.#start.push(chunk.subarray(0, remaining));
    this.#bytesRead += chunk.length;
    if (this.#bytesRead > MAX_READ_BODY_BYTES) this.onInvalid('response_too_large');
  }

  onEnd(idleMs: number): void {
    const result = this.#response();
    if (result !== undefined) this.#end({ idleMs, result });
  }

  onInvalid(detail: AnswerDetail): void {
    this.cut({ kind: 'failure', code: 'invalid_response', detail });
  }

  /** @param cutBy what ended it before its own end */
  #response(cutBy?: SendFailure): SendResult | undefined {
    if (this.#statusCode === 0) return undefined;
    const { headers, bytes } = this.#kept;
    const isTooLarge = cutBy?.detail === 'response_too_large';
    const cut = cutBy && (isTooLarge ? 'response_too_large' : 'incomplete_body');
    const detail = this.#parser.detail ?? cut;
    return {
      kind: 'response',
      statusCode: this.#statusCode,
      ...this.#retryAfter,
      ...(bytes === 0 ? {} : { headers }),
      ...(detail === undefined ? {} : { detail }),
      body: this.#bytesRead === 0 ? '' : responseText(Buffer.concat(this.#start), bytes),
    };
  }

  #end(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(ending);
  }
}

/** The header, and the time on the clock by which a date in it counts. */
function retryAfterOf(headers: ReceivedHeaders): Pick<SendResponse, 'retryAfter' | 'date'> {
  const [retryAfter, date] = ['retry-after', 'date'].map((name) =>
    headers[name]?.[0]?.slice(0, MAX_RETRY_AFTER_LENGTH),
  );
  if (retryAfter === undefined) return {};
  return { retryAfter, ...(date === undefined ? {} : { date }) };
}
