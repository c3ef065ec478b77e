import { fromUtf16 } from '../from-utf16.ts';
import type { SignedRequest } from '../scheme-check.ts';
import { UsageError } from '../usage-error.ts';
import { visibleText } from '../visible-text.ts';

/** Twice the size of the largest payload, and headers. */
export const MAX_REQUEST_BYTES = 1_048_576;

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The most header lines. */
const MAX_HEADERS = 200;

/**
 * Reads a request as people have it: an optional request line, headers, an empty line, the body.
 * Lines may end as on Windows. The body keeps its bytes, but for a line break at its end. Or the
 * event of a Lambda function, whose body keeps them all.
 *
 * @throws UsageError naming the line that is no header
 */
export function parseRequest(bytes: Buffer): SignedRequest {
  const input = fromUtf16(bytes);
  const event = parseJson(input.toString('utf8'));
  if (isEvent(event)) return { headers: parseHeaders(input), body: bodyWithin(event) };
  // One character for each byte: the positions are those of the bytes.
  const text = input.toString('latin1');
  const start = /^(?:\xef\xbb\xbf)?\s*/.exec(text)?.[0].length ?? 0;
  const gap = /\r?\n\r?\n/.exec(text.slice(start));
  const headEnd = gap === null ? text.length : start + gap.index;
  const bodyStart = gap === null ? text.length : headEnd + gap[0].length;
  const headers = parseHeaders(input.subarray(start, headEnd));
  return { headers, body: withoutPastedEnd(headers, input.subarray(bodyStart)) };
}

/**
 * Reads headers: lines of `name: value`, also as curl, CGI and nginx spell them, a JSON object, or
 * the event of a Lambda function.
 *
 * @throws UsageError naming the line that is no header, or if there is none
 */
export function parseHeaders(bytes: Buffer): SignedRequest['headers'] {
  const text = fromUtf16(bytes).toString('utf8').replace(BYTE_ORDER_MARK, '');
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : lineEntries(text);
  const headers = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const key = name
      .toLowerCase()
      .replace(/^http_/, '')
      .replaceAll('_', '-');
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  if (headers.size === 0) {
    throw new UsageError('There are no headers. A request has headers, an empty line and the body.');
  }
  return Object.fromEntries(headers);
}

function lineEntries(text: string): readonly (readonly [string, string])[] {
  const lines = requestLines(text);
  const [first, ...others] = lines.flatMap((line, index) => (line.trim() === '' ? [] : index));
  if (others.length >= MAX_HEADERS) throw new UsageError(`There are more than ${MAX_HEADERS} header lines.`);
  return lines.flatMap((line, index) => {
    const isFirst =
      index === first && /^(?:[A-Z]+ \S+(?: HTTP\/[\d.]+)?|HTTP\/[\d.]+ \d{3}.*)$/.test(line.trim());
    if (isFirst || line.trim() === '') return [];
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value.trim()] as const];
    throw new UsageError(
      `Line ${index + 1} is no header, "name: value": ${visibleText(line.slice(0, 60))}. An empty line separates headers and body.`,
    );
  });
}

/**
 * The lines of a request. `curl -v` marks them with `>`, and prints others, such as its notes with
 * `*`. Those are empty here: the numbers of the lines stay.
 */
function requestLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => line.startsWith('> '))) return lines.map((line) => line.replace(/^\* .*/, ''));
  return lines.map((line) => (line.startsWith('>') ? line.slice('> '.length) : ''));
}

/** The form in which applications log headers: `{"x-webhook-id": "…"}`. */
function jsonEntries(text: string): readonly (readonly [string, string])[] {
  const headers = parseJson(text);
  if (headers === undefined) throw new UsageError('The headers begin with { but are not JSON.');
  const given = isEvent(headers) ? (headers.multiValueHeaders ?? headers.headers) : headers;
  return Object.entries(Object(given)).flatMap(([name, value]: [string, unknown]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => one !== null).map((one) => [name, headerValue(name, one)] as const);
  });
}

function headerValue(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new UsageError(`The header ${visibleText(name.slice(0, 60))} is neither text nor a number.`);
}

/**
 * Terminals and editors end a text with a line break, which is no part of the body.
 * `Content-Length` says better where the body ends.
 */
function withoutPastedEnd(headers: SignedRequest['headers'], body: Buffer): Buffer {
  const length = Number(headers['content-length']?.[0] ?? Number.NaN);
  const isKnown = length < body.length && body.subarray(length).toString('latin1').trim() === '';
  if (isKnown) return body.subarray(0, length);
  const lineBreak = /\r?\n$/.exec(body.subarray(-2).toString('latin1'))?.[0] ?? '';
  return length === body.length ? body : body.subarray(0, body.length - lineBreak.length);
}

/** What API Gateway (of either version), a load balancer or a function URL passes to a function. */
type LambdaEvent = Readonly<Record<string, unknown>>;

/** Null is what API Gateway has in place of headers that are not there. */
function isEvent(value: unknown): value is LambdaEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { headers, multiValueHeaders }: LambdaEvent = { ...value };
  return typeof headers === 'object' || typeof multiValueHeaders === 'object';
}

/** The body of an event, byte for byte. */
function bodyWithin({ body, isBase64Encoded }: LambdaEvent): Buffer {
  const text = body ?? '';
  if (typeof text === 'string') return Buffer.from(text, isBase64Encoded === true ? 'base64' : 'utf8');
  throw new UsageError('The body of the event is no text: something has parsed it.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
  } catch {
    return undefined;
  }
}
