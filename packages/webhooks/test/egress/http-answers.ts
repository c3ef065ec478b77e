import type { AnswerDetail } from '../../src/egress/send-result.ts';

/** What a recipient answers, as latin1 text, what the delivery must be, and what of it was odd. */
export type AnswerCase = readonly [
  name: string,
  bytes: string,
  result: { readonly status: number; readonly body: string } | { readonly error: 'invalid_response' },
  detail?: AnswerDetail,
];

const ok = { status: 200, body: 'ok' };
const empty = { status: 200, body: '' };
const none = { status: 204, body: '' };
const invalid = { error: 'invalid_response' } as const;
const OK = 'HTTP/1.1 200 OK\r\n';
const LENGTH = 'Content-Length: 2\r\n\r\nok';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/** After these, the connection takes the next request. */
export const KEEPING: readonly AnswerCase[] = [
  ['a body of known length', `${OK}${LENGTH}`, ok],
  ['chunks', `${OK}${CHUNKED}\r\n2\r\nok\r\n0\r\n\r\n`, ok],
  [
    'chunks with extensions, and trailers',
    `${OK}${CHUNKED}\r\n1;a=b\r\no\r\n0001 ; c\r\nk\r\n0\r\nX-T: t\r\n\r\n`,
    ok,
  ],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n', none],
  ['204 with the length 0', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', none],
  ['a status line without a reason', `HTTP/1.1 200\r\n${LENGTH}`, ok],
  ['values beyond ASCII, and empty ones', `${OK}X-A: \xe9\t\xff\r\nX-B:\r\n${LENGTH}`, ok],
  ['names that every object has', `${OK}__proto__: a\r\nconstructor: b\r\n${LENGTH}`, ok],
  ['an unasked 100 Continue first', `HTTP/1.1 100 Continue\r\n\r\n${OK}${LENGTH}`, ok],
  [
    '103 Early Hints, then 204',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 7\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    none,
  ],
  ['two seconds to idle', `${OK}Keep-Alive: timeout=2, max=9\r\n${LENGTH}`, ok],
  ['a second to idle', `${OK}Keep-Alive: timeout=1\r\n${LENGTH}`, ok],
];

export const CLOSING: readonly AnswerCase[] = [
  ['a wish to close', `${OK}Connection: foo, Close\r\n${LENGTH}`, ok],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\n${LENGTH}`, ok],
  ['no time to idle', `${OK}Keep-Alive: timeout=0\r\n${LENGTH}`, ok],
];

export const TOLERATED: readonly AnswerCase[] = [
  ['a header line ended by LF alone', `${OK}X-A: 1\n${LENGTH}`, ok, 'bare_line_feed'],
  ['LF alone everywhere', 'HTTP/1.1 204 None\nX-A: 1\n\n', none, 'bare_line_feed'],
  ['a control character in a value', `${OK}X-A: a\u0001b\r\n${LENGTH}`, ok, 'odd_character'],
  ['NUL in a value', `${OK}X-A: a\0b\r\n${LENGTH}`, ok, 'odd_character'],
  ['a folded header', `${OK}X-A: a\r\n b\r\n${LENGTH}`, ok, 'folded_header'],
  ['a line without a colon', `${OK}hello\r\n${LENGTH}`, ok, 'malformed_header'],
  ['a line without a name', `${OK}: a\r\n${LENGTH}`, ok, 'malformed_header'],
  ['a space before the colon', `${OK}Content-Length : 2\r\n\r\nok`, ok, 'malformed_header'],
  ['a status line with two spaces', `HTTP/1.1  200  OK\r\n${LENGTH}`, ok, 'malformed_status_line'],
  ['an empty line first', `\r\n${OK}${LENGTH}`, ok, 'malformed_status_line'],
  ['one length twice', `${OK}Content-Length: 2\r\n${LENGTH}`, ok, 'repeated_length'],
  ['one length twice in a line', `${OK}Content-Length: 2, 2\r\n\r\nok`, ok, 'repeated_length'],
  ['two lengths that differ', `${OK}Content-Length: 3\r\n${LENGTH}`, empty, 'two_lengths'],
  ['a length that is none', `${OK}Content-Length: many\r\n\r\nab`, empty, 'malformed_length'],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\nab`, empty, 'malformed_length'],
  [
    'chunked beside a length',
    `${OK}${CHUNKED}Content-Length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    ok,
    'length_beside_chunks',
  ],
  ['chunks whose size is none', `${OK}${CHUNKED}\r\n2\r\nok\r\nzz\r\n`, ok, 'malformed_chunk'],
  ['a chunk longer than its size', `${OK}${CHUNKED}\r\n2\r\nokay\r\n0\r\n\r\n`, ok, 'malformed_chunk'],
  ['204 with chunks', `HTTP/1.1 204 No Content\r\n${CHUNKED}\r\n`, none, 'unexpected_body'],
  [
    '304 with a length',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello',
    { status: 304, body: '' },
    'unexpected_body',
  ],
  ['204 with a body', 'HTTP/1.1 204 No Content\r\n\r\nhello', none, 'bytes_after_end'],
  ['the length 0 and a body', `${OK}Content-Length: 0\r\n\r\nhello`, empty, 'bytes_after_end'],
  ['a second answer nobody asked for', `${OK}${LENGTH}${OK}Content-Length: 0\r\n\r\n`, ok, 'bytes_after_end'],
];

export const INVALID: readonly AnswerCase[] = [
  ['a greeting of another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', invalid, 'not_http'],
  ['a greeting without a line end', '\x15\x03\x03', invalid, 'not_http'],
  ['no status line', 'hello\r\n\r\n', invalid, 'not_http'],
  ['a status that is none', 'HTTP/1.1 abc\r\n\r\n', invalid, 'not_http'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', invalid, 'not_http'],
  ['HTTP/2 in words', 'HTTP/2 200\r\n\r\n', invalid, 'not_http'],
  ['the first frame of HTTP/2', '\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\xff\xff', invalid, 'only_http2'],
  ['the status 099', 'HTTP/1.1 099 None\r\n\r\n', invalid, 'unusable_status'],
  ['another protocol', 'HTTP/1.1 101 Up\r\n\r\n', invalid, 'unusable_status'],
  ['headers of 100 kB', `${OK}X-A: ${'a'.repeat(100_000)}\r\n\r\n`, invalid, 'headers_too_large'],
  ['a status line of 100 kB', `HTTP/1.1 200 ${'a'.repeat(100_000)}`, invalid, 'headers_too_large'],
];

/** What a recipient may still send after an answer that was framed exactly. */
export const LATE: readonly (readonly [name: string, bytes: string])[] = [
  ['a 408', 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'],
  ['the end of chunks', '0\r\n\r\n'],
  ['a body', 'hello'],
  ['a body and a 408', 'helloHTTP/1.1 408 Request Timeout\r\n\r\n'],
];
