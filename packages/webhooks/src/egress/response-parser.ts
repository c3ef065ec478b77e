import type { AnswerDetail } from './send-result.ts';

/** The most bytes of a status line with its headers, in each interim response too. */
export const MAX_HEAD_BYTES = 16_384;

/** The most interim (1xx) responses before the final one. */
export const MAX_INTERIM_RESPONSES = 16;

/**
 * How long a connection stays idle, and how far a recipient's `Keep-Alive` header can extend that.
 * Of the time that the recipient announces, a quarter is margin for the way of the next request.
 */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 10_000;
const USED_SHARE = 0.75;

/** Headers by lower-case name: each character of a value is one byte. */
export type ReceivedHeaders = Readonly<Record<string, readonly string[]>>;

/** Receives a response from its parser, in order. */
export interface ResponseSink {
  /** The final status with its headers. */
  onHead(statusCode: number, headers: ReceivedHeaders): void;
  onBody(chunk: Buffer): void;
  /**
   * The end of the final response.
   *
   * @param idleMs how long the connection may wait for another request, 0 if it must be closed.
   */
  onEnd(idleMs: number): void;
  /** There is no status to be read. */
  onInvalid(detail: AnswerDetail): void;
}

/** What the next bytes belong to; `rest` is a body that ends with the connection. */
type Part = 'status' | 'headers' | 'sized' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'rest';

const LF = 0x0a;
const HTTP_1 = 'HTTP/1.';
const STATUS_LINE = /^HTTP\/1\.(\d)[ \t]+(\d{3})(?!\d)/;
const EXACT_STATUS_LINE = /^HTTP\/1\.[01] \d{3}(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const NO_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;
const WITHOUT_BODY: readonly number[] = [204, 304];

/**
 * Parses the response to one POST request (RFC 9112).
 *
 * The status decides: once there is one, no fault of headers or body makes the response invalid.
 * The first deviation is kept as {@link detail}. A response that deviates, or is not framed
 * exactly, closes its connection, so that no byte of it is taken for the next response.
 */
export class ResponseParser {
  readonly #sink: ResponseSink;
  #part: Part | 'ended' = 'status';
  #line = '';
  #headBytes = 0;
  #interimResponses = 0;
  #statusCode = 0;
  #headers: Record<string, string[]> = Object.create(null);
  #lastValues: string[] | undefined;
  /** How many bytes of a body or chunk of known size are still to come. */
  #remaining = 0;
  #idleMs = 0;
  #isHttp11 = false;
  #detail: AnswerDetail | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** How the response deviates from HTTP, if it does. */
  get detail(): AnswerDetail | undefined {
    return this.#detail;
  }

  push(chunk: Buffer): void {
    if (this.#part === 'ended') return;
    let at = 0;
    while (at < chunk.length && !this.#hasEnded()) {
      at = this.#isInBody() ? this.#readBody(chunk, at) : this.#readLine(chunk, at);
    }
    if (!this.#hasEnded()) return;
    if (at < chunk.length) this.#deviate('bytes_after_end');
    this.#sink.onEnd(this.#detail === undefined ? this.#idleMs : 0);
  }

  /** The recipient has closed the connection. Returns whether that ends the response. */
  close(): boolean {
    if (this.#part !== 'rest') return false;
    this.#part = 'ended';
    this.#sink.onEnd(0);
    return true;
  }

  #hasEnded(): boolean {
    return this.#part === 'ended';
  }

  #isInBody(): boolean {
    return this.#part === 'sized' || this.#part === 'chunk' || this.#part === 'rest';
  }

  #deviate(detail: AnswerDetail): void {
    this.#detail ??= detail;
  }

  #readBody(chunk: Buffer, at: number): number {
    const end = this.#part === 'rest' ? chunk.length : Math.min(chunk.length, at + this.#remaining);
    this.#sink.onBody(chunk.subarray(at, end));
    this.#remaining -= end - at;
    if (this.#part !== 'rest' && this.#remaining === 0) {
      this.#part = this.#part === 'chunk' ? 'chunk-end' : 'ended';
    }
    return end;
  }

  #readLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(LF, at);
    const stop = end === -1 ? chunk.length : end;
    const isInHead = this.#part === 'status' || this.#part === 'headers';
    if (isInHead) this.#headBytes += stop - at + 1;
    this.#line += chunk.toString('latin1', at, stop);
    if (this.#part === 'status' && !this.#mayBeStatusLine()) return chunk.length;
    if (this.#headBytes > MAX_HEAD_BYTES) this.#refuse('headers_too_large');
    else if (this.#line.length > MAX_HEAD_BYTES) this.#cutBody('malformed_chunk');
    else if (end !== -1) this.#takeLine();
    return end === -1 ? chunk.length : end + 1;
  }

  /** Judged by its first bytes: other protocols may never end a line. */
  #mayBeStatusLine(): boolean {
    const start = this.#line.slice(0, HTTP_1.length);
    if (HTTP_1.startsWith(start) || /^\r?$/.test(this.#line)) return true;
    const isHttp2 = mayBeHttp2Settings(this.#line);
    if (isHttp2 && this.#line.length < FRAME_HEADER_LENGTH) return true;
    this.#refuse(isHttp2 ? 'only_http2' : 'not_http');
    return false;
  }

  #refuse(detail: AnswerDetail): void {
    this.#part = 'ended';
    this.#sink.onInvalid(detail);
  }

  /** The body ends here, and its connection with it: its framing makes no sense. */
  #cutBody(detail: AnswerDetail): void {
    this.#deviate(detail);
    this.#part = 'ended';
  }

  #takeLine(): void {
    const hasReturn = this.#line.endsWith('\r');
    if (!hasReturn) this.#deviate('bare_line_feed');
    const line = hasReturn ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#part === 'status') this.#takeStatus(line);
    else if (this.#part === 'headers') this.#takeHeader(line);
    else if (this.#part === 'chunk-size') this.#takeChunkSize(line);
    else if (this.#part === 'trailers') this.#part = line === '' ? 'ended' : 'trailers';
    else if (line === '') this.#part = 'chunk-size';
    else this.#cutBody('malformed_chunk');
  }

  #takeStatus(line: string): void {
    // RFC 9112 section 2.2 lets a server skip an empty line; what applies to requests is seen in
    // responses, too.
    if (line === '') {
      this.#deviate('malformed_status_line');
      return;
    }
    const [, minor, code] = STATUS_LINE.exec(line) ?? [];
    if (code === undefined) {
      this.#refuse('not_http');
      return;
    }
    if (!EXACT_STATUS_LINE.test(line)) this.#deviate('malformed_status_line');
    this.#isHttp11 = minor === '1';
    this.#statusCode = Number(code);
    this.#part = 'headers';
  }

  #takeHeader(line: string): void {
    if (line === '') {
      this.#endHead();
      return;
    }
    if (line.startsWith(' ') || line.startsWith('\t')) {
      this.#deviate('folded_header');
      const folded = this.#lastValues?.pop();
      if (folded !== undefined) this.#lastValues?.push(`${folded} ${withoutBlanks(line)}`);
      return;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!TOKEN.test(name)) this.#deviate('malformed_header');
    if (colon < 1) return;
    const value = withoutBlanks(line.slice(colon + 1));
    if (NO_FIELD_VALUE.test(value)) this.#deviate('odd_character');
    const key = name.trim().toLowerCase();
    this.#lastValues = this.#headers[key] ??= [];
    this.#lastValues.push(value);
  }

  #endHead(): void {
    const [statusCode, headers] = [this.#statusCode, this.#headers];
    this.#headBytes = 0;
    if (statusCode < 200) {
      this.#skipInterim(statusCode);
      return;
    }
    this.#idleMs = this.#isHttp11 ? idleMsOf(headers) : 0;
    this.#frameBody(headers);
    this.#sink.onHead(statusCode, headers);
  }

  #skipInterim(statusCode: number): void {
    this.#interimResponses += 1;
    this.#headers = Object.create(null);
    this.#lastValues = undefined;
    this.#part = 'status';
    // An unrequested 101 ends HTTP on this connection; below 100 is no status.
    if (statusCode < 100 || statusCode === 101) this.#refuse('unusable_status');
    else if (this.#interimResponses > MAX_INTERIM_RESPONSES) this.#refuse('response_too_large');
  }

  /** Finds where the body ends (RFC 9112 section 6.3). */
  #frameBody(headers: ReceivedHeaders): void {
    const codings = headers['transfer-encoding']?.join(',');
    const lengths = headers['content-length']?.flatMap((value) => value.split(',').map(withoutBlanks)) ?? [];
    const [length, another] = new Set(lengths);
    if (WITHOUT_BODY.includes(this.#statusCode)) {
      if (codings !== undefined || (length !== undefined && length !== '0')) this.#deviate('unexpected_body');
      this.#part = 'ended';
    } else if (codings !== undefined) {
      if (length !== undefined) this.#deviate('length_beside_chunks');
      this.#part = /(?:^|,)[ \t]*chunked[ \t]*$/i.test(codings) ? 'chunk-size' : 'rest';
    } else if (length === undefined) {
      this.#part = 'rest';
    } else if (another !== undefined || !/^\d+$/.test(length)) {
      this.#cutBody(another === undefined ? 'malformed_length' : 'two_lengths');
    } else {
      if (lengths.length > 1) this.#deviate('repeated_length');
      this.#remaining = Number(length);
      this.#part = this.#remaining === 0 ? 'ended' : 'sized';
    }
  }

  #takeChunkSize(line: string): void {
    const size = CHUNK_SIZE.exec(line)?.[1];
    if (size === undefined) {
      this.#cutBody('malformed_chunk');
      return;
    }
    this.#remaining = Number.parseInt(size, 16);
    this.#part = this.#remaining === 0 ? 'trailers' : 'chunk';
  }
}

/** The length of the header of an HTTP/2 frame (RFC 9113 section 4.1). */
const FRAME_HEADER_LENGTH = 9;

/** RFC 9113 section 3.4: a server begins with a SETTINGS frame, on the stream 0. */
function mayBeHttp2Settings(start: string): boolean {
  const frame = start + '\0\0\0\x04\0\0\0\0\0'.slice(start.length);
  return frame[0] === '\0' && frame[3] === '\x04' && frame.startsWith('\0\0\0\0', 5);
}

/**
 * Without the spaces and tabs at its ends (RFC 9110 section 5.5). Not by a regular expression: it
 * would take quadratic time for those in the middle.
 */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}

function idleMsOf({ connection, 'keep-alive': keepAlive }: ReceivedHeaders): number {
  if (connection !== undefined && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(connection.join(','))) return 0;
  const seconds = /(?:^|[,;\s])timeout=(\d+)/i.exec(keepAlive?.join(',') ?? '')?.[1];
  if (seconds === undefined) return IDLE_MS;
  return Math.min(Number(seconds) * 1000 * USED_SHARE, MAX_IDLE_MS);
}
