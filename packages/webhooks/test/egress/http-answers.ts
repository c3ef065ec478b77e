import type { AnswerDetail } from '../../src/egress/send-result.ts';

/** What a recipient answers, and what the delivery must be. */
export interface AnswerCase {
  readonly name: string;
  /** As latin1 text. */
  readonly bytes: string;
  readonly result:
    | { readonly status: number; readonly body: string }
    | { readonly error: 'invalid_response' | 'connection_reset' };
  /** What was tolerated, or why there is no status. */
  readonly detail?: AnswerDetail;
  /** Whether the connection takes the next request. */
  readonly keeps?: true;
}

const ok = { status: 200, body: 'ok' };
const empty = { status: 200, body: '' };
const none = { status: 204, body: '' };
const invalid = { error: 'invalid_response' } as const;
const OK = 'HTTP/1.1 200 OK\r\n';
const LENGTH = 'Content-Length: 2\r\n\r\nok';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

export const EXACT: readonly AnswerCase[] = [
  { name: 'a body of known length', bytes: `${OK}${LENGTH}`, result: ok, keeps: true },
  { name: 'chunks', bytes: `${OK}${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n`, result: ok, keeps: true },
  {
    name: 'chunks with extensions, and trailers',
    bytes: `${OK}${CHUNKED}\r\n1;a=b\r\no\r\n0001 ; c\r\nk\r\n0\r\nX-T: t\r\n\r\n`,
    result: ok,
    keeps: true,
  },
  { name: 'no body', bytes: 'HTTP/1.1 204 No Content\r\n\r\n', result: none, keeps: true },
  {
    name: '204 with the length 0',
    bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n',
    result: none,
    keeps: true,
  },
  {
    name: 'a status line without a reason',
    bytes: `HTTP/1.1 200\r\n${LENGTH}`,
    result: ok,
    keeps: true,
  },
  {
    name: 'values beyond ASCII, and empty ones',
    bytes: `${OK}X-A: \xe9\t\xff\r\nX-B:\r\n${LENGTH}`,
    result: ok,
    keeps: true,
  },
  {
    name: 'names that every object has',
    bytes: `${OK}__proto__: a\r\nconstructor: b\r\n${LENGTH}`,
    result: ok,
    keeps: true,
  },
  {
    name: 'an unasked 100 Continue first',
    bytes: `HTTP/1.1 100 Continue\r\n\r\n${OK}${LENGTH}`,
    result: ok,
    keeps: true,
  },
  {
    name: '103 Early Hints, then 204',
    bytes:
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 7\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    result: none,
    keeps: true,
  },
  { name: 'a wish to close', bytes: `${OK}Connection: foo, Close\r\n${LENGTH}`, result: ok },
  { name: 'HTTP/1.0', bytes: `HTTP/1.0 200 OK\r\n${LENGTH}`, result: ok },
  {
    name: 'two seconds to idle',
    bytes: `${OK}Keep-Alive: timeout=2, max=9\r\n${LENGTH}`,
    result: ok,
    keeps: true,
  },
  { name: 'a second to idle', bytes: `${OK}Keep-Alive: timeout=1\r\n${LENGTH}`, result: ok, keeps: true },
  { name: 'no time to idle', bytes: `${OK}Keep-Alive: timeout=0\r\n${LENGTH}`, result: ok },
];

export const TOLERATED: readonly AnswerCase[] = [
  {
    name: 'a header line ended by LF alone',
    bytes: `${OK}X-A: 1\n${LENGTH}`,
    result: ok,
    detail: 'bare_line_feed',
  },
  {
    name: 'LF alone everywhere',
    bytes: 'HTTP/1.1 204 None\nX-A: 1\n\n',
    result: none,
    detail: 'bare_line_feed',
  },
  {
    name: 'a control character in a value',
    bytes: `${OK}X-A: a\u0001b\r\n${LENGTH}`,
    result: ok,
    detail: 'odd_character',
  },
  { name: 'NUL in a value', bytes: `${OK}X-A: a\0b\r\n${LENGTH}`, result: ok, detail: 'odd_character' },
  { name: 'a folded header', bytes: `${OK}X-A: a\r\n b\r\n${LENGTH}`, result: ok, detail: 'folded_header' },
  {
    name: 'a line without a colon',
    bytes: `${OK}hello\r\n${LENGTH}`,
    result: ok,
    detail: 'malformed_header',
  },
  { name: 'a line without a name', bytes: `${OK}: a\r\n${LENGTH}`, result: ok, detail: 'malformed_header' },
  {
    name: 'a space before the colon',
    bytes: `${OK}Content-Length : 2\r\n\r\nok`,
    result: ok,
    detail: 'malformed_header',
  },
  {
    name: 'a status line with two spaces',
    bytes: `HTTP/1.1  200  OK\r\n${LENGTH}`,
    result: ok,
    detail: 'malformed_status_line',
  },
  { name: 'an empty line first', bytes: `\r\n${OK}${LENGTH}`, result: ok, detail: 'malformed_status_line' },
  {
    name: 'one length twice',
    bytes: `${OK}Content-Length: 2\r\n${LENGTH}`,
    result: ok,
    detail: 'repeated_length',
  },
  {
    name: 'one length twice in a line',
    bytes: `${OK}Content-Length: 2, 2\r\n\r\nok`,
    result: ok,
    detail: 'repeated_length',
  },
  {
    name: 'two lengths that differ',
    bytes: `${OK}Content-Length: 3\r\n${LENGTH}`,
    result: empty,
    detail: 'two_lengths',
  },
  {
    name: 'a length that is none',
    bytes: `${OK}Content-Length: many\r\n\r\nab`,
    result: empty,
    detail: 'malformed_length',
  },
  {
    name: 'a negative length',
    bytes: `${OK}Content-Length: -1\r\n\r\nab`,
    result: empty,
    detail: 'malformed_length',
  },
  {
    name: 'chunked beside a length',
    bytes: `${OK}${CHUNKED}Content-Length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    result: ok,
    detail: 'length_beside_chunks',
  },
  {
    name: 'chunks whose size is none',
    bytes: `${OK}${CHUNKED}\r\n2\r\nok\r\nzz\r\n`,
    result: ok,
    detail: 'malformed_chunk',
  },
  {
    name: 'a chunk longer than its size',
    bytes: `${OK}${CHUNKED}\r\n2\r\nokay\r\n0\r\n\r\n`,
    result: ok,
    detail: 'malformed_chunk',
  },
  {
    name: '204 with chunks',
    bytes: `HTTP/1.1 204 No Content\r\n${CHUNKED}\r\n`,
    result: none,
    detail: 'unexpected_body',
  },
  {
    name: '304 with a length',
    bytes: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello',
    result: { status: 304, body: '' },
    detail: 'unexpected_body',
  },
  {
    name: '204 with a body',
    bytes: 'HTTP/1.1 204 No Content\r\n\r\nhello',
    result: none,
    detail: 'bytes_after_end',
  },
  {
    name: 'the length 0 and a body',
    bytes: `${OK}Content-Length: 0\r\n\r\nhello`,
    result: empty,
    detail: 'bytes_after_end',
  },
  {
    name: 'a second answer nobody asked for',
    bytes: `${OK}${LENGTH}${OK}Content-Length: 0\r\n\r\n`,
    result: ok,
    detail: 'bytes_after_end',
  },
];

export const INVALID: readonly AnswerCase[] = [
  {
    name: 'a greeting of another protocol',
    bytes: 'SSH-2.0-OpenSSH_9.2\r\n',
    result: invalid,
    detail: 'not_http',
  },
  { name: 'a greeting without a line end', bytes: '\x15\x03\x03', result: invalid, detail: 'not_http' },
  { name: 'no status line', bytes: 'hello\r\n\r\n', result: invalid, detail: 'not_http' },
  { name: 'a status that is none', bytes: 'HTTP/1.1 abc\r\n\r\n', result: invalid, detail: 'not_http' },
  { name: 'a status of four digits', bytes: 'HTTP/1.1 2000 OK\r\n\r\n', result: invalid, detail: 'not_http' },
  { name: 'HTTP/2 in words', bytes: 'HTTP/2 200\r\n\r\n', result: invalid, detail: 'not_http' },
  {
    name: 'the first frame of HTTP/2',
    bytes: '\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\xff\xff',
    result: invalid,
    detail: 'only_http2',
  },
  { name: 'the status 099', bytes: 'HTTP/1.1 099 None\r\n\r\n', result: invalid, detail: 'unusable_status' },
  { name: 'another protocol', bytes: 'HTTP/1.1 101 Up\r\n\r\n', result: invalid, detail: 'unusable_status' },
  {
    name: 'headers of 100 kB',
    bytes: `${OK}X-A: ${'a'.repeat(100_000)}\r\n\r\n`,
    result: invalid,
    detail: 'headers_too_large',
  },
  {
    name: 'a status line of 100 kB',
    bytes: `HTTP/1.1 200 ${'a'.repeat(100_000)}`,
    result: invalid,
    detail: 'headers_too_large',
  },
];

/** What a recipient may still send after an answer that was framed exactly. */
export const LATE: readonly (readonly [name: string, bytes: string])[] = [
  ['a 408', 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'],
  ['the end of chunks', '0\r\n\r\n'],
  ['a body', 'hello'],
  ['a body and a 408', 'helloHTTP/1.1 408 Request Timeout\r\n\r\n'],
];
